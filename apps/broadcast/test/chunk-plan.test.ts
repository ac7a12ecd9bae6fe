import { statementsOf } from "@andon/testkit";
import { expect, test } from "vitest";
import { BroadcastServer } from "./harness.ts";

test("a chunk and a page are read along the index, even right after an import, without statistics", async () => {
  const server = await BroadcastServer.start("postgres");
  try {
    await server.addChannels(5_000);
    const statements = await statementsOf(async () => {
      await server.inState(await server.makeJob({ chunkSize: 1_000 }), "COMPLETED");
      await server.done("GET", "/channels?limit=20");
    });
    const sent = (part: string) => [...statements.keys()].find((text) => text.includes(part)) as string;
    // With values, as PostgreSQL plans the first executions of a prepared statement: a generic plan does not know the limit.
    const planOf = async (part: string, params: readonly unknown[]) => {
      const plan = await server.rows<Record<string, string>>(`explain ${sent(part)}`, params);
      return plan.map((row) => row["QUERY PLAN"]).join("\n");
    };
    const plans = [
      await planOf("min(id) as first", ["default", 1_000_000, null, "", 1_000]),
      await planOf("order by c.tenant_id, c.id", [20, 0]),
    ];
    for (const plan of plans) {
      expect(plan).toMatch(/Index (Only )?Scan using broadcast_channels/);
      expect(plan).not.toMatch(/Sort|Bitmap/);
    }
  } finally {
    await server.close();
  }
});

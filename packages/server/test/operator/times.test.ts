import { expect } from "vitest";
import { describeServers } from "../harness.ts";

/** The smallest number that can be a current timestamp. */
const FIRST_STAMP = 1_000_000_000_000;

/** The paths of numbers in an answer that are times. */
function stampsIn(value: unknown, path = ""): string[] {
  if (typeof value === "number") return value >= FIRST_STAMP ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => stampsIn(member, `${path}/${name}`));
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const handler = async (job: { payload: unknown }, context: { progress(value: unknown): void }) => {
  context.progress({ lookedAt: 5 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  if (job.payload === "bad") throw new Error("no");
};

describeServers("times of answers", (it) => {
  it("are ISO 8601 in the audit log", { queues: { mail: {} } }, async (server) => {
    const client = server.client();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await client.keys.create({ name: "shop", permissions: ["queue.read"], expiresAt });
    await client.keys.revoke({ id });
    await client.lanes.hold({ queue: "mail", key: "k", reason: "looking" });
    await client.lanes.release({ queue: "mail", key: "k" });
    await client.queues.add({ queue: "mail", payload: { lookedAt: 5 } });
    const { items } = await client.audit.list({});
    expect(stampsIn(items)).toEqual([]);
    const revoked = items.find(({ action }) => action === "key.revoke");
    expect(revoked?.before).toMatchObject({ expiresAt, revokedAt: null });
    expect(revoked?.after).toMatchObject({ expiresAt, revokedAt: expect.stringMatching(ISO) });
    const held = items.find(({ action }) => action === "lane.hold");
    expect(held?.after).toMatchObject({ held: { at: expect.stringMatching(ISO) } });
  });

  it("are ISO 8601 in a job's explanation and its events, but a user's numbers stay unchanged", {
    queues: {
      mail: { attempts: 2, backoff: { type: "fixed", delay: "1h" }, handler: handler as never },
      idle: {},
    },
  }, async (server) => {
    const client = server.client();
    const { id } = await client.queues.add({ queue: "mail", payload: "bad" });
    const detail = await eventually(async () => {
      const now = await client.jobs.show({ id });
      return now.state === "scheduled" ? now : undefined;
    });
    expect(stampsIn(detail)).toEqual([]);
    expect(detail.why.facts.due).toMatch(ISO);
    const dataOf = (type: string) => detail.events.find((event) => event.type === type)?.data;
    expect(dataOf("job.retrying")?.due).toMatch(ISO);
    expect(dataOf("job.progress")).toEqual({ progress: { lookedAt: 5 } });

    await client.queues.pause({ queue: "idle" });
    const waiting = await client.queues.add({ queue: "idle" });
    expect((await client.jobs.why({ id: waiting.id })).facts.since).toMatch(ISO);
  });
});

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

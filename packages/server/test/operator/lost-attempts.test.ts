import { parseQueueRules } from "@andon/contract";
import { giveBack } from "@andon/engine/verbs";
import { expect } from "vitest";
import { describeServers, type TestServer } from "../harness.ts";

const RULES = { maxStalled: 1 };
const DEFINITION = { name: "mail", rules: parseQueueRules("mail", RULES), hooks: {} };
const TURN = {
  queue: "mail",
  worker: "w",
  done: [],
  want: 1,
  limit: null,
  serial: false,
  rate: null,
  sharing: null,
};

/** A worker claims the job and dies. */
async function lose({ site }: TestServer): Promise<void> {
  const { claims } = await site.andon.store.finishAndClaim(TURN);
  for (const claim of claims) await giveBack(site.andon.store, DEFINITION, claim, "lost");
}

describeServers("a job whose workers died", (it) => {
  it("shows the lost attempts of its last round of attempts", { queues: { mail: RULES } }, async (server) => {
    const client = server.client();
    const { id, ticket } = await client.queues.add({ queue: "mail", key: "k" });
    const shown = async (jobId: string) => {
      const { attemptsMade, failedReason, attempts } = await client.queues.failedJob({
        queue: "mail",
        jobId,
      });
      return { attemptsMade, failedReason, attempts: attempts.map(({ timestamp: _, ...rest }) => rest) };
    };
    await lose(server);
    await lose(server);
    const stalled = {
      attemptsMade: 1,
      failedReason: "STALLED: lost by dying workers 2 times in a row",
      attempts: [
        { attemptNumber: 1, error: "LOST" },
        { attemptNumber: 1, error: "STALLED" },
      ],
    };
    expect(await shown(ticket)).toEqual(stalled);

    const again = await client.jobs.retry({ id });
    await lose(server);
    await lose(server);
    expect(await shown(again.ticket)).toEqual(stalled);
  });
});

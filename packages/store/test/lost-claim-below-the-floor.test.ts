import { describeOn } from "@andon/testkit/conformance";
import pg from "pg";
import { expect, onTestFinished, vi } from "vitest";
import { finishAndClaimStatements } from "../src/statements/finish-and-claim.postgres.ts";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

/** On SQLite a request claims only once. */
const kinds = STORE_KINDS.filter(({ name }) => name === "postgres");
/** Less than a lease. */
const SOON_MS = 2_000;

describeOn(kinds, "a claim below the floor", (it) => {
  it("whose answer was lost returns the job to the line at once, without counting a loss", async (bench) => {
    const queue = bench.queue<string>();
    const manual = bench.manualHandler();
    await queue.addMany(["a", "b"]);
    // All places are filled, so the next claim starts at the floor of this one.
    await queue.work(manual.handler, { places: 2 });
    const [first] = await manual.takeMany(2);
    const { id } = await queue.add("urgent", { priority: 10 });
    await bench.settled();

    const answer = loseNextAnswer(finishAndClaimStatements.claim.text);
    first?.succeed();
    await bench.passUntil("it is at work", () => manual.started.includes("urgent"), SOON_MS);
    expect(answer.isLost).toBe(true);
    expect(bench.errors).toMatchObject([{ message: LOST }]);
    expect(await bench.store.read.job({ id })).toMatchObject({ state: "running", stalled: 0, attempts: 0 });
  });
});

const LOST = "Connection terminated unexpectedly";

/** The next statement with this text is executed, and its sender gets a broken connection instead of the answer. */
function loseNextAnswer(text: string): { isLost: boolean } {
  const answer = { isLost: false };
  const query = pg.Client.prototype.query as (...given: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async function (this: pg.Client, ...given: unknown[]) {
    const isMeant = (given[0] as { text?: string }).text === text && !answer.isLost;
    if (isMeant) answer.isLost = true;
    const result = await query.apply(this, given);
    if (isMeant) throw new Error(LOST);
    return result;
  } as typeof query);
  return answer;
}

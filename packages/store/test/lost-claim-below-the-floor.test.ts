import { describeOn } from "@andon/testkit/conformance";
import pg from "pg";
import { expect, onTestFinished, vi } from "vitest";
import { finishAndClaimStatements } from "../src/statements/finish-and-claim.postgres.ts";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

/** On SQLite a request looks once. */
const kinds = STORE_KINDS.filter(({ name }) => name === "postgres");
/** Sooner than a lease is over. */
const SOON_MS = 2_000;

describeOn(kinds, "a claim below the floor", (it) => {
  it("whose answer was lost goes back to the line at once, and counts as no loss", async (bench) => {
    const queue = bench.queue<string>();
    const hands = bench.hands();
    await queue.addMany(["a", "b"]);
    // It fills its places, so that its next claim begins where this one did.
    await queue.work(hands.handler, { places: 2 });
    const [first] = await hands.takeMany(2);
    const { id } = await queue.add("urgent", { priority: 10 });
    await bench.settled();

    const answer = loseNextAnswer(finishAndClaimStatements.claim.text);
    first?.succeed();
    await bench.passUntil("it is at work", () => hands.started.includes("urgent"), SOON_MS);
    expect(answer.isLost).toBe(true);
    expect(bench.errors).toMatchObject([{ message: LOST }]);
    expect(await bench.store.read.job({ id })).toMatchObject({ state: "running", stalled: 0, attempts: 0 });
  });
});

const LOST = "Connection terminated unexpectedly";

/** The next statement of this text is carried out, and whoever sent it is told that the connection broke. */
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

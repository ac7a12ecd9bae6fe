import { withinLimit } from "@andon/app";
import { expect, test } from "vitest";

const HOUR = 3_600_000;

test("work that ignores its signal is abandoned after its limit, and the signal is aborted", async () => {
  let seen: AbortSignal | undefined;
  const { signal } = new AbortController();
  const endless = withinLimit(20, signal, (limited) => {
    seen = limited;
    return new Promise(() => {});
  });
  await expect(endless).rejects.toThrow("no answer within 0.02 s");
  expect(seen?.aborted).toBe(true);
});

test("work ends with the signal of its job", async () => {
  const job = new AbortController();
  const endless = withinLimit(HOUR, job.signal, () => new Promise(() => {}));
  job.abort(new Error("cancelled"));
  await expect(endless).rejects.toThrow("cancelled");
});

test("work does not start if its signal is already aborted", async () => {
  let begun = false;
  const work = async () => {
    begun = true;
  };
  await expect(withinLimit(HOUR, AbortSignal.abort(new Error("closed")), work)).rejects.toThrow("closed");
  expect(begun).toBe(false);
});

test("work that ends in time returns its result", async () => {
  expect(await withinLimit(HOUR, new AbortController().signal, async () => 7)).toBe(7);
});

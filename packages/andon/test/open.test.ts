import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, open } from "andon";
import { expect, test } from "vitest";

test.each([undefined, null, 7, {}, "", "andon.db"])(
  "%j is refused as the address of a store, and the error shows valid ones",
  async (given) => {
    await expect(open(given as string)).rejects.toMatchObject({
      name: "AndonError",
      code: "STORE_URL",
      message: expect.stringContaining("use sqlite:<path>, sqlite::memory: or postgres://"),
    });
  },
);

test("an unknown option is refused with the list of the known ones", async () => {
  const unknown = { "an option of nobody's": 1 } as object;
  await expect(open("sqlite::memory:", unknown)).rejects.toMatchObject({
    code: "UNKNOWN_OPTION",
    message:
      'Unknown option "an option of nobody\'s" in the options of `open`. ' +
      "Known: synchronous, connections, clock, onError, outbox, around, gather, keep, decisions.",
  });
  await expect(open("sqlite::memory:", { outbxo: {} } as object)).rejects.toThrow('Did you mean "outbox"?');
});

test("the error for a file that cannot be opened names the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-open-"));
  const file = join(folder, "notes.txt");
  writeFileSync(file, "no database, but long enough to be looked at as one\n".repeat(100));
  for (const path of [folder, file, join(file, "below", "andon.db")])
    await expect(open(`sqlite:${path}`), path).rejects.toMatchObject({
      code: "STORE_NOT_OPENED",
      details: { path },
      message: expect.stringContaining(`"${path}" cannot be opened: `),
    });
  rmSync(folder, { recursive: true });
});

test("a caller's clock gets whole milliseconds, and its times are stored as whole milliseconds", async () => {
  const asked: number[] = [];
  const clock: Clock = {
    now: () => Date.now() + 0.5,
    monotonic: () => performance.now(),
    after(ms, callback) {
      asked.push(ms);
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
  const andon = await open("sqlite::memory:", { clock });
  // A worker beats every third of its lease, which is not a whole number of milliseconds here.
  const queue = andon.queue("line", { lease: "1s", sweep: "500ms" });
  const { id } = await queue.add("x", { delay: 20 });
  const done = new Promise((resolve) => void queue.work(resolve));
  await done;
  expect((await andon.job(id))?.createdAt).toSatisfy(Number.isInteger);
  await andon.close();
  expect(asked.length).toBeGreaterThan(1);
  for (const ms of asked) expect(ms).toSatisfy(Number.isInteger);
});

import { expect, test } from "vitest";
import type { NewFile } from "../../src/files/insert-files.ts";
import { Intake } from "../../src/files/intake.ts";
import type { VaultParts } from "../../src/parts.ts";

/** A store that never answers a commit, which may have happened or not: no real one does so on demand. */
function silentStore() {
  const asked: string[] = [];
  const store = {
    isUnavailable: () => true,
    transaction: async (verb: string) => {
      asked.push(verb);
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error("Connection terminated unexpectedly");
    },
  };
  return { asked, intake: new Intake({ andon: { store } } as unknown as VaultParts) };
}

test("uploads whose commit was not answered are not written again, where they would be refused for their own names", async () => {
  const { asked, intake } = silentStore();
  const files = ["a", "b", "c"].map((id) => ({ id }) as NewFile);
  const settled = await Promise.allSettled(files.map((file) => intake.take("tenant", file)));
  expect(settled.map((one) => one.status === "rejected" && one.reason.message)).toEqual(
    files.map(() => "Connection terminated unexpectedly"),
  );
  expect(asked).toEqual(["upload", "upload"]);
});

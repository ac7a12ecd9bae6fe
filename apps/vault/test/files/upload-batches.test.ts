import { expect, test } from "vitest";
import type { NewFile } from "../../src/files/insert-files.ts";
import { UploadBatches } from "../../src/files/upload-batches.ts";
import type { VaultContext } from "../../src/vault-context.ts";

/** A store that never answers a commit, so that its outcome is unknown: no real store does so on demand. */
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
  return { asked, batches: new UploadBatches({ andon: { store } } as unknown as VaultContext) };
}

test("uploads whose commit was not answered are not written again, because they could be refused for their own names", async () => {
  const { asked, batches } = silentStore();
  const files = ["a", "b", "c"].map((id) => ({ id }) as NewFile);
  const settled = await Promise.allSettled(files.map((file) => batches.take("tenant", file)));
  expect(settled.map((one) => one.status === "rejected" && one.reason.message)).toEqual(
    files.map(() => "Connection terminated unexpectedly"),
  );
  expect(asked).toEqual(["upload", "upload"]);
});

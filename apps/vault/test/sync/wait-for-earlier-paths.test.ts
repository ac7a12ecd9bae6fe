import { expect, vi } from "vitest";
import { EarlierOperations } from "../../src/sync/wait-for-earlier-paths.ts";
import type { VaultContext } from "../../src/vault-context.ts";
import { describeVault, type VaultServer, WITHOUT_WORK } from "../harness.ts";

const quiet = { settings: WITHOUT_WORK };
const UNKNOWN = "00000000-0000-7000-8000-000000000000";

function earlierOperations({ site }: VaultServer): EarlierOperations {
  const settings = { caseInsensitive: false } as VaultContext["settings"];
  return new EarlierOperations({ settings, andon: site.andon } as unknown as VaultContext);
}

describeVault("the lookup of earlier operations", (it) => {
  it("asks the store once for up to 16 that start at the same time", quiet, async (server) => {
    const earlier = earlierOperations(server);
    const withEarlier = vi.spyOn(server.site.andon.store.read.reading, "withEarlier");
    const sizes = async (count: number) => {
      withEarlier.mockClear();
      const targets = Array.from({ length: count }, (_, nth) => "d/".repeat(nth % 12).concat("f"));
      await Promise.all(targets.map((target) => earlier.exists(UNKNOWN, "default", target)));
      return withEarlier.mock.calls.map(([, questions]) => questions.length);
    };
    const asked = [await sizes(1), await sizes(16), await sizes(40)];
    withEarlier.mockRestore();
    expect(asked).toEqual([[1], [16], [16, 16, 8]]);
  });

  it("answers each question separately", quiet, async (server) => {
    const first = await server.upload({ name: "x" });
    await server.done("DELETE", `/files/${first.fileId}?permanent=true`);
    const folderId = await server.makeFolder("x");
    const later = await Promise.all(
      Array.from({ length: 4 }, (_, nth) => server.upload({ name: `f${nth}`, folderId })),
    );
    const earlier = earlierOperations(server);
    const asked = [
      ...later.map(({ syncQueueId }, nth) => earlier.exists(syncQueueId, "default", `x/f${nth}`)),
      earlier.exists(first.syncQueueId, "default", "x"),
    ];
    expect(await Promise.all(asked)).toEqual([true, true, true, true, false]);
  });

  it("fails only for the question that fails", quiet, async (server) => {
    const { syncQueueId } = await server.upload({ name: "x" });
    const { reading } = server.site.andon.store.read;
    const ask = reading.withEarlier.bind(reading);
    const withEarlier = vi.spyOn(reading, "withEarlier").mockImplementation(async (queue, questions) => {
      if (questions.some(({ jobId }) => jobId === "refused")) throw new Error("refused");
      return ask(queue, questions);
    });
    const earlier = earlierOperations(server);
    const ends = await Promise.allSettled([
      ...Array.from({ length: 15 }, () => earlier.exists(syncQueueId, "default", "x")),
      earlier.exists("refused", "default", "x"),
    ]);
    withEarlier.mockRestore();
    expect(ends.map(({ status }) => status)).toEqual([...Array(15).fill("fulfilled"), "rejected"]);
  });
});

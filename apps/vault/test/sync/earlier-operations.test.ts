import { expect, vi } from "vitest";
import type { VaultParts } from "../../src/parts.ts";
import { EarlierOperations } from "../../src/sync/earlier-operations.ts";
import { describeVault, type VaultServer, WITHOUT_WORK } from "../harness.ts";

const quiet = { settings: WITHOUT_WORK };
const UNKNOWN = "00000000-0000-7000-8000-000000000000";

function earlierOperations({ site }: VaultServer): EarlierOperations {
  const settings = { caseInsensitive: false } as VaultParts["settings"];
  return new EarlierOperations({ settings, andon: site.andon } as unknown as VaultParts);
}

describeVault("asking for earlier operations", (it) => {
  it("takes few statements, however many ask at once and however deep they lie", quiet, async (server) => {
    const earlier = earlierOperations(server);
    const query = vi.spyOn(server.site.andon.store, "query");
    for (let count = 1; count <= 40; count++) {
      const targets = Array.from({ length: count }, (_, nth) => "d/".repeat((count + nth) % 12).concat("f"));
      await Promise.all(targets.map((target) => earlier.isThere(UNKNOWN, target)));
    }
    const texts = new Set(query.mock.calls.map(([text]) => text));
    query.mockRestore();
    expect(texts.size).toBeLessThanOrEqual(6);
  });

  it("answers each question for itself", quiet, async (server) => {
    const first = await server.upload({ name: "x" });
    await server.done("DELETE", `/files/${first.fileId}?permanent=true`);
    const folderId = await server.makeFolder("x");
    const later = await Promise.all(
      Array.from({ length: 4 }, (_, nth) => server.upload({ name: `f${nth}`, folderId })),
    );
    const earlier = earlierOperations(server);
    const asked = [
      ...later.map(({ syncQueueId }, nth) => earlier.isThere(syncQueueId, `x/f${nth}`)),
      earlier.isThere(first.syncQueueId, "x"),
    ];
    expect(await Promise.all(asked)).toEqual([true, true, true, true, false]);
  });

  it("fails the one whose question fails, and no other", quiet, async (server) => {
    const { syncQueueId } = await server.upload({ name: "x" });
    const { store } = server.site.andon;
    const ask = store.query.bind(store);
    const query = vi.spyOn(store, "query").mockImplementation(async (text, params) => {
      if (params?.includes("refused")) throw new Error("refused");
      return ask(text, params);
    });
    const earlier = earlierOperations(server);
    const ends = await Promise.allSettled([
      ...Array.from({ length: 15 }, () => earlier.isThere(syncQueueId, "x")),
      earlier.isThere("refused", "x"),
    ]);
    query.mockRestore();
    expect(ends.map(({ status }) => status)).toEqual([...Array(15).fill("fulfilled"), "rejected"]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage } from "@andon/storage";
import { FlakyStorage } from "@andon/storage/testing";
import { expect, test } from "vitest";
import { placesReady } from "../../src/nas/ready.ts";
import type { VaultSettings } from "../../src/parts.ts";
import { describeVault, until, type VaultServer } from "../harness.ts";

const KOREAN = {
  vault: { language: "ko" },
  settings: { queues: { "nas-sync": { attempts: 1, backoff: { delay: 10 } } } },
} as const;

/** The NAS is made and marked by its first file. */
async function firstFile(server: VaultServer): Promise<void> {
  await server.upload({ name: "first", bytes: "1" });
  await server.synced();
}

function onlyFailed(server: VaultServer) {
  return until(async () => (await server.done("GET", "/admin/queue/failed")).items[0]);
}

describeVault("why an operation failed is stored in the server's language", (it) => {
  it("where a file is at fault, and its code stays", KOREAN, async (server) => {
    await firstFile(server);
    writeFileSync(join(server.nasFolder, "k"), "a stranger's");
    const { fileId, syncQueueId } = await server.upload({ name: "k", bytes: "ours" });
    const { failedReason } = await onlyFailed(server);
    const message = '"k"에 이미 다른 것이 있어 덮어쓰지 않았습니다: 4바이트가 아니라 12바이트입니다';
    expect(failedReason).toBe(`TARGET_EXISTS: ${message}`);
    const { currentOperation } = await server.done("GET", `/files/${fileId}/sync-status`);
    expect(currentOperation.error).toContain(message);
    expect((await server.site.andon.job(syncQueueId))?.error).toMatchObject({ code: "TARGET_EXISTS" });
    expect((await server.done("GET", "/admin/queue/status")).isPaused).toBe(false);
  });

  it("where the NAS is, which stops the queue as ever", KOREAN, async (server) => {
    await firstFile(server);
    rmSync(join(server.nasFolder, ".andon-nas"));
    await server.upload({ name: "a", bytes: "ours" });
    const { failedReason } = await onlyFailed(server);
    expect(failedReason).toMatch(
      /^NOT_MOUNTED: .*이\(가\) 없거나 마운트되지 않았습니다: \.andon-nas 파일이 없습니다$/,
    );
    expect((await server.done("GET", "/admin/queue/status")).isPaused).toBe(true);
  });

  it("where the job is none of the vault's", KOREAN, async (server) => {
    await server.site.queues.get("nas-sync")?.queue.add({ not: "an operation" }, { name: "strange" });
    expect((await onlyFailed(server)).failedReason).toMatch(/^NOT_AN_OPERATION: .*파일 작업이 아닙니다/);
  });
});

test("what readiness says of a place is said in it too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-language-"));
  const cache = await openStorage(`file:${join(folder, "cache")}`);
  const nas = new FlakyStorage(await openStorage(`file:${join(folder, "nas")}`));
  nas.goAway("LOGIN");
  const settings = { language: "ko" } as VaultSettings;
  expect(await placesReady({ cache, nas, settings })).toMatchObject([
    { name: "cache", ok: true, problem: null },
    { name: "nas", ok: false, problem: expect.stringContaining("인증에 실패했습니다") },
  ]);
  rmSync(folder, { recursive: true });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage } from "@andon/storage";
import { FlakyStorage } from "@andon/storage/testing";
import { expect, test } from "vitest";
import { placesReady } from "../../src/nas/ready.ts";
import type { VaultSettings } from "../../src/vault-context.ts";
import { describeVault, until, type VaultServer } from "../harness.ts";

/** The server's own language is English; only the reader's language must count. */
const ONE_ATTEMPT = {
  vault: { language: "en" },
  settings: {
    alerts: { language: "en" },
    queues: { "nas-sync": { attempts: 1, backoff: { delay: 10 } } },
  },
} as const;
const READERS = ["ko", "en"] as const;
const readBy = (language: string) => ({ headers: { "accept-language": language } });

/** Uploads a first file, so that the NAS exists. */
async function firstFile(server: VaultServer): Promise<void> {
  await server.upload({ name: "first", bytes: "1" });
  await server.synced();
}

function onlyFailed(server: VaultServer, language: string) {
  return until(async () => (await server.done("GET", "/admin/queue/failed", readBy(language))).items[0]);
}

describeVault("why an operation failed is shown in the reader's language", (it) => {
  it("if a file is at fault, and the error code stays", ONE_ATTEMPT, async (server) => {
    await firstFile(server);
    writeFileSync(join(server.nasFolder, "k"), "a stranger's");
    const { fileId, syncQueueId } = await server.upload({ name: "k", bytes: "ours" });
    const message = {
      ko: '"k"에 이미 다른 것이 있어 덮어쓰지 않았습니다: 4바이트가 아니라 12바이트입니다',
      en: 'Something else already lies at "k", and nothing is overwritten: 12 bytes, not 4',
    };
    for (const language of READERS) {
      const { failedReason } = await onlyFailed(server, language);
      expect(failedReason).toBe(`TARGET_EXISTS: ${message[language]}`);
      const status = await server.done("GET", `/files/${fileId}/sync-status`, readBy(language));
      expect(status.currentOperation.error).toContain(message[language]);
    }
    expect((await server.site.andon.job(syncQueueId))?.error).toMatchObject({ code: "TARGET_EXISTS" });
    expect((await server.done("GET", "/admin/queue/status")).isPaused).toBe(false);
  });

  it("if the NAS is at fault, which stops the queue", ONE_ATTEMPT, async (server) => {
    await firstFile(server);
    rmSync(join(server.nasFolder, ".andon-nas"));
    await server.upload({ name: "a", bytes: "ours" });
    const message = {
      ko: /^NOT_MOUNTED: .*[이가] 없거나 마운트되지 않았습니다: \.andon-nas 파일이 없습니다$/,
      en: /^NOT_MOUNTED: .* is not there, or not mounted: it has no \.andon-nas$/,
    };
    for (const language of READERS)
      expect((await onlyFailed(server, language)).failedReason).toMatch(message[language]);
    expect((await server.done("GET", "/admin/queue/status")).isPaused).toBe(true);
  });
});

test("readiness describes a place in the language of the settings", async () => {
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

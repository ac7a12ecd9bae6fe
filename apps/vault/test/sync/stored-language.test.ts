import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingsOf, startServer } from "@andon/server";
import { until } from "@andon/testkit";
import { vaultApp } from "@andon/vault";
import { afterEach, beforeEach, expect, test } from "vitest";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "andon-stored-language-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("the vault's failures are shown in the reader's language, whatever the language of the alerts", async () => {
  const settings = settingsOf({
    data,
    port: 0,
    adminToken: "a-token-of-twenty-letters",
    log: { level: "silent" },
    alerts: { language: "ko" },
    queues: { "nas-sync": { attempts: 1 } },
    apps: [vaultApp()],
  });
  const server = await startServer(settings);
  try {
    const nasSync = server.site.queues.get("nas-sync")?.queue;
    const { id } = (await nasSync?.add({}, { name: "strange", key: "file:strange" })) ?? { id: "" };
    mkdirSync(join(data, "nas", "a"), { recursive: true });
    const headers = (language: string) => ({
      authorization: "Bearer a-token-of-twenty-letters",
      "accept-language": language,
    });
    const body = new FormData();
    body.append("file", new Blob(["bytes"]), "a");
    const uploaded = await fetch(`${server.url}/files/upload`, {
      method: "POST",
      headers: headers("ko"),
      body,
    });
    const { fileId } = (await uploaded.json()) as { fileId: string };
    await until(async () => (await nasSync?.status())?.counts.failed === 2);
    const shown = async (path: string, language: string) =>
      (await fetch(`${server.url}${path}`, { headers: headers(language) })).text();
    const paths = [
      "/admin/jobs?state=failed",
      "/admin/queue/failed",
      `/files/${fileId}/sync-status`,
      "/admin/sync-queue/held",
      "/admin/alerts",
      "/admin/queues/nas-sync/lanes?held=true",
      "/admin/queues/nas-sync/fingerprints",
    ];
    for (const path of paths) {
      expect([path, await shown(path, "en")]).toEqual([path, expect.not.stringMatching(/[가-힣]/)]);
      expect([path, await shown(path, "ko")]).toEqual([path, expect.stringMatching(/[가-힣]/)]);
    }
    // `why` has both languages; everything else of the page has only the reader's.
    const page = async (language: string) => {
      const { why, ...rest } = JSON.parse(await shown(`/admin/jobs/${id}`, language));
      expect(why).toMatchObject({
        en: expect.stringContaining("is not a file operation"),
        ko: expect.any(String),
      });
      return rest;
    };
    expect(JSON.stringify(await page("en"))).not.toMatch(/[가-힣]/);
    const { error, history, events } = await page("ko");
    for (const { message } of [error, ...history, events[0].data])
      expect(message).toContain("파일 작업이 아닙니다");
  } finally {
    await server.close();
  }
});

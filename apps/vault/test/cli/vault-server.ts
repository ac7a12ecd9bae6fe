import { join } from "node:path";
import { installed, startTestServer, type TestServer } from "@andon/cli/testing";
import { type ClientOf, clientOf } from "@andon/client";
import type { SettingsInput } from "@andon/server";
import { VAULT_ROUTES } from "@andon/vault/contract";

export interface VaultServer extends TestServer {
  readonly vault: ClientOf<typeof VAULT_ROUTES>;
  readonly nasFolder: string;
  upload(name: string, bytes: string): Promise<{ fileId: string }>;
  /** Waits until no operation for the NAS can run any more. */
  synced(): Promise<void>;
}

/** A whole server with the vault, on folders of its own. */
export async function startVaultServer(settings: SettingsInput = {}): Promise<VaultServer> {
  const server = await startTestServer("sqlite", settings, await installed());
  const { url, token, site } = server;
  return {
    ...server,
    vault: clientOf(VAULT_ROUTES, { url, token, language: "en" }),
    nasFolder: join(server.data, "nas"),
    async upload(name, bytes) {
      const form = new FormData();
      form.set("file", new Blob([bytes]), name);
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(new URL("/files/upload", url), { method: "POST", headers, body: form });
      return (await response.json()) as { fileId: string };
    },
    async synced() {
      await site.queues.get("nas-sync")?.queue.drained({ signal: AbortSignal.timeout(20_000) });
    },
  };
}

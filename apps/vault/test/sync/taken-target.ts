import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FlakyVault } from "./flaky-vault.ts";

/** `a/r` is on the NAS; its move to `b` is held, because another file is at the target. */
export async function heldMove(vault: FlakyVault) {
  const { server } = vault;
  const [a, b] = [await server.makeFolder("a"), await server.makeFolder("b")];
  const { fileId } = await server.upload({ name: "r", bytes: "bytes", folderId: a });
  await server.synced();
  write(vault, "b/r", "a stranger's");
  const { syncQueueId } = await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: b } });
  await vault.untilHeld(fileId);
  return { fileId, syncQueueId, a };
}

export function write({ nasFolder }: FlakyVault, path: string, text: string): void {
  mkdirSync(dirname(join(nasFolder, path)), { recursive: true });
  writeFileSync(join(nasFolder, path), text);
}

export function copy({ nasFolder }: FlakyVault, from: string, to: string): void {
  copyFileSync(join(nasFolder, from), join(nasFolder, to));
}

import type { Call } from "@andon/app";
import { isAndonError } from "@andon/contract";
import { tenantOf, tenantOfItem } from "../caller.ts";
import { VaultError } from "../contract/errors.ts";
import { findFolder, mustTakeChildren, ROOT } from "../folders/folder-row.ts";
import { mustFitPath } from "../folders/path-limits.ts";
import { below, pathOf } from "../folders/paths.ts";
import { checkTenant } from "../names/names.ts";
import { isNameTaken } from "../names/taken-names.ts";
import type { VaultContext } from "../vault-context.ts";
import { insertFiles, type NewFile, type Uploaded } from "./insert-files.ts";
import { dropBytes, type Received, readUpload } from "./read-upload.ts";
import type { UploadBatches } from "./upload-batches.ts";

export interface UploadPorts {
  readonly vault: VaultContext;
  readonly batches: UploadBatches;
}

/**
 * Stores the bytes first, and then makes them a file in one transaction. A crash in between leaves bytes without a row,
 * which the clean-up of the cache removes.
 */
export async function upload(ports: UploadPorts, call: Call): Promise<Uploaded> {
  const { vault } = ports;
  const { andon, settings } = vault;
  const { organizationId } = call.principal;
  checkTenant(tenantOf(call), settings);
  // A repeated request finds its own name taken by the first request, and gets the answer of that one.
  const isRepeatable = call.idempotencyKey !== undefined;
  const received = await readUpload({
    vault,
    call,
    mustFit: async ({ folderId, name }) => {
      if (isRepeatable) return;
      const tenantId = await tenantOfItem(andon.store, call, "folder", folderId);
      if (folderId !== ROOT)
        mustTakeChildren(await findFolder(andon.store, { tenantId, organizationId }, folderId));
      mustFitPath(below(await pathOf(andon.store, tenantId, folderId), name), "file");
      if (await isNameTaken(andon.store, settings, { tenantId, parentId: folderId, name }))
        throw new VaultError("NAME_TAKEN", { name });
    },
  });
  const answer = await makeFile(ports, call, received);
  if (answer.fileId !== received.id) await dropBytes(vault, received.cacheKey);
  return answer;
}

async function makeFile({ vault, batches }: UploadPorts, call: Call, received: Received): Promise<Uploaded> {
  const { actor, organizationId } = call.principal;
  const file: NewFile = { ...received, actor, organizationId, traceId: call.traceId };
  try {
    const tenantId = await tenantOfItem(vault.andon.store, call, "folder", received.folderId);
    if (call.idempotencyKey === undefined) return await batches.take(tenantId, file);
    const { sha256, size, name, folderId } = received;
    const request = { route: "files.upload", fingerprint: JSON.stringify([sha256, size, name, folderId]) };
    return await vault.once(call, request, async (tx) => {
      const [answer] = await insertFiles(vault, tx, tenantId, [file]);
      if (!answer || isAndonError(answer)) throw answer;
      return answer;
    });
  } catch (error) {
    // Only a refusal has certainly left no row: a commit whose answer was lost may have succeeded.
    if (isAndonError(error) && error.status < 500) await dropBytes(vault, received.cacheKey);
    throw error;
  }
}

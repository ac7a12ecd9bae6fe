import { AndonError, isAndonError } from "@andon/contract";
import type { Call } from "@andon/engine";
import { tenantOf, tenantOfThing } from "../caller.ts";
import { findFolder, mustTakeChildren, ROOT } from "../folders/folder-row.ts";
import { checkTenant } from "../names/names.ts";
import { isNameTaken } from "../names/taken-names.ts";
import type { VaultParts } from "../parts.ts";
import { insertFiles, type NewFile, type Uploaded } from "./insert-files.ts";
import type { Intake } from "./intake.ts";
import { dropBytes, type Received, readUpload } from "./read-upload.ts";

export interface UploadPorts {
  readonly parts: VaultParts;
  readonly intake: Intake;
}

/**
 * Bytes first, then one transaction that makes them a file. Dying in between leaves bytes that no row names, which the
 * cleaning of the cache takes away.
 */
export async function upload(ports: UploadPorts, call: Call): Promise<Uploaded> {
  const { parts } = ports;
  const { andon, settings } = parts;
  checkTenant(tenantOf(call), settings);
  // Of a repeated request the place is taken by the first one: its answer is given again.
  const isRepeatable = call.idempotencyKey !== undefined;
  const received = await readUpload({
    parts,
    call,
    mustFit: async ({ folderId, name }) => {
      if (isRepeatable) return;
      const tenantId = await tenantOfThing(andon.store, call, "folder", folderId);
      if (folderId !== ROOT) mustTakeChildren(await findFolder(andon.store, tenantId, folderId));
      if (await isNameTaken(andon.store, settings, { tenantId, parentId: folderId, name }))
        throw new AndonError("NAME_TAKEN", { name });
    },
  });
  const answer = await makeFile(ports, call, received);
  if (answer.fileId !== received.id) await dropBytes(parts, received.cacheKey);
  return answer;
}

async function makeFile({ parts, intake }: UploadPorts, call: Call, received: Received): Promise<Uploaded> {
  const file: NewFile = { ...received, actor: call.principal.actor, traceId: call.traceId };
  try {
    const tenantId = await tenantOfThing(parts.andon.store, call, "folder", received.folderId);
    if (call.idempotencyKey === undefined) return await intake.take(tenantId, file);
    const { sha256, size, name, folderId } = received;
    const request = { route: "files.upload", fingerprint: JSON.stringify([sha256, size, name, folderId]) };
    return await parts.once(call, request, async (tx) => {
      const [answer] = await insertFiles(parts, tx, tenantId, [file]);
      if (!answer || isAndonError(answer)) throw answer;
      return answer;
    });
  } catch (error) {
    // Only a refusal is sure to have left no row: a commit whose answer was lost may have happened.
    if (isAndonError(error) && error.status < 500) await dropBytes(parts, received.cacheKey);
    throw error;
  }
}

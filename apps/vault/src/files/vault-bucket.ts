import type { AnnouncedObject, ObjectContent } from "@andon/app";
import type { VaultContext } from "../vault-context.ts";
import { contentOf } from "./content.ts";
import type { NewFile } from "./insert-files.ts";

/** What other apps call the place of the vault's files. */
export const BUCKET = "vault";

/** A new file, as other apps hear of it. Its id is in the key, since its path may change before they read it. */
export function announced(tenantId: string, file: NewFile): AnnouncedObject {
  const { id, name, size, mimeType, sha256, organizationId, actor, traceId } = file;
  return {
    bucket: BUCKET,
    key: `${id}/${name}`,
    fileId: id,
    versionId: sha256,
    size,
    mimeType,
    tenantId,
    organizationId,
    actor,
    traceId: traceId ?? null,
  };
}

/** The bytes of a file, wherever they are now. */
export async function readObject(
  vault: VaultContext,
  { tenantId, fileId }: { readonly tenantId: string; readonly fileId: string },
  signal: AbortSignal,
): Promise<ObjectContent> {
  const bytes = await contentOf(vault, { tenantId, organizationId: null }, fileId, signal);
  return { stream: await bytes.open(undefined), size: bytes.size };
}

import type { AnnouncedObject, ObjectContent } from "@andon/app";
import type { VaultContext } from "../vault-context.ts";
import { contentOf } from "./content.ts";
import type { NewFile } from "./insert-files.ts";

/** The name of the vault's files for other apps. */
export const BUCKET = "vault";

/**
 * The announcement of a new file to other apps. Its key contains the id, because the path can change before they read
 * the file.
 */
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

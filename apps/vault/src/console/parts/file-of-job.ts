import type { JobDetail } from "@andon/console/room";

/** The file of an operation. Any program with the library can add a job with any payload, so there may be none. */
export function fileOf({ payload }: JobDetail): { readonly id: string; readonly name: string } | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { fileId, fileName } = payload as Record<string, unknown>;
  if (typeof fileId !== "string" || typeof fileName !== "string") return undefined;
  return { id: fileId, name: fileName };
}

import type { PipelineSettings } from "../contract/settings.ts";

/** The fields of an event that select its pipeline. */
export interface Matched {
  readonly mimeType: string | null;
  readonly tenantId: string;
  readonly bucket: string | null;
  readonly key: string | null;
}

export function matches(match: NonNullable<PipelineSettings["match"]>, event: Matched): boolean {
  const { mimeTypes, tenantIds, buckets, prefix } = match;
  return (
    (mimeTypes.length === 0 || matchesType(mimeTypes, event.mimeType)) &&
    (tenantIds.length === 0 || tenantIds.includes(event.tenantId)) &&
    (buckets.length === 0 || (event.bucket !== null && buckets.includes(event.bucket))) &&
    (prefix === undefined || (event.key?.startsWith(prefix) ?? false))
  );
}

/** `image/*` matches every image type. */
export function matchesType(patterns: readonly string[], mimeType: string | null): boolean {
  const type = mimeType?.split(";")[0]?.trim().toLowerCase();
  if (!type) return false;
  return patterns.some((pattern) =>
    pattern.endsWith("/*") ? type.startsWith(pattern.slice(0, -1)) : pattern.toLowerCase() === type,
  );
}

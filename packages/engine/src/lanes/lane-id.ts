/**
 * A lane is queue + tenant + key. The store keeps one text per lane, which only this file composes and parses. A key of
 * the default tenant is stored unchanged, so that a system without tenants pays nothing; a key of another tenant is
 * prefixed with the tenant between two marks. The brand prevents a plain key from being used as a lane.
 */
declare const composed: unique symbol;
export type LaneId = string & { readonly [composed]: true };

export const DEFAULT_TENANT = "default";

/** Encloses the tenant. No tenant contains this character. */
export const TENANT_MARK = "\u0001";
/**
 * The prefix of a default tenant's key that begins with this character or the mark, so that no key reads as another
 * lane.
 */
const ESCAPE = "\u0002";
/** Sorts behind every key of the default tenant: longer than any key, of the highest code point. */
const BEHIND_ALL_KEYS = "\u{10ffff}".repeat(300);

export function laneId(tenant: string, key: string): LaneId {
  if (tenant !== DEFAULT_TENANT) return `${TENANT_MARK}${tenant}${TENANT_MARK}${key}` as LaneId;
  const isPlain = !key.startsWith(TENANT_MARK) && !key.startsWith(ESCAPE);
  return (isPlain ? key : ESCAPE + key) as LaneId;
}

export function laneIds(tenant: string, keys: readonly string[]): readonly LaneId[] {
  return keys.map((key) => laneId(tenant, key));
}

/** The tenant of a lane, and the key of its jobs. */
export function laneOf(id: LaneId): { tenant: string; key: string } {
  if (id.startsWith(ESCAPE)) return { tenant: DEFAULT_TENANT, key: id.slice(1) };
  if (!id.startsWith(TENANT_MARK)) return { tenant: DEFAULT_TENANT, key: id };
  const end = id.indexOf(TENANT_MARK, 1);
  return { tenant: id.slice(1, end), key: id.slice(end + 1) };
}

/** The lanes of a job, in the order of its keys. */
export function lanesOf({ tenant, keys }: { tenant: string; keys: readonly string[] }): readonly LaneId[] {
  return laneIds(tenant, keys);
}

export function keysOfLanes(ids: readonly LaneId[]): string[] {
  return ids.map((id) => laneOf(id).key);
}

/** All lanes of a tenant lie from `from` up to, not including, `to`, in the order of their bytes. */
export function lanesOfTenant(tenant: string): { from: string; to: string } {
  return tenant === DEFAULT_TENANT
    ? { from: ESCAPE, to: BEHIND_ALL_KEYS }
    : { from: `${TENANT_MARK}${tenant}${TENANT_MARK}`, to: `${TENANT_MARK}${tenant}${ESCAPE}` };
}

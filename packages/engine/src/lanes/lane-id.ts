/**
 * A lane is queue + tenant + key. The store keeps one text per lane, which this file alone composes and takes apart: a key of
 * the default tenant is kept as it is, so that who has no tenants pays nothing; that of another tenant begins with a mark and
 * the tenant. The brand keeps a plain key from being used where a lane is meant.
 */
declare const composed: unique symbol;
export type LaneId = string & { readonly [composed]: true };

export const DEFAULT_TENANT = "default";

/** Around the tenant. No tenant has this character in it. */
export const TENANT_MARK = "\u0001";
/** Before a key of the default tenant that begins with one of the two marks, so that no key reads as another lane. */
const ESCAPE = "\u0002";
/** Behind every key of the default tenant: longer than any key, of the highest character there is. */
const BEHIND_ALL_KEYS = "\u{10ffff}".repeat(300);

export function laneId(tenant: string, key: string): LaneId {
  if (tenant !== DEFAULT_TENANT) return `${TENANT_MARK}${tenant}${TENANT_MARK}${key}` as LaneId;
  const isPlain = !key.startsWith(TENANT_MARK) && !key.startsWith(ESCAPE);
  return (isPlain ? key : ESCAPE + key) as LaneId;
}

export function laneIds(tenant: string, keys: readonly string[]): readonly LaneId[] {
  return keys.map((key) => laneId(tenant, key));
}

/** Whose lane it is, and the key that its jobs were added with. */
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

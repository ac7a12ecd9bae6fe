import type { StoredAbortWish } from "@andon/engine";

/** Subqueries, so that the statement that writes a chunk reads the wish too, and no plan can join the tables. */
export const wishOf = (pos: string) =>
  ["actor", "reason", "requested_at", "noun"]
    .map((column) => `(select w.${column} from andon_abort_wishes w where w.pos = ${pos}) as wish_${column}`)
    .join(", ");

export interface RawWish {
  wish_actor: string | null;
  wish_reason: string | null;
  wish_requested_at: number | null;
  wish_noun: string | null;
}

export function wishIn(raw: RawWish): StoredAbortWish | null {
  if (raw.wish_actor === null || raw.wish_noun === null) return null;
  const { wish_actor: by, wish_reason: reason, wish_requested_at: at, wish_noun: noun } = raw;
  return { by, reason, requestedAt: at ?? 0, noun };
}

import type { Tx } from "@andon/engine";
import { sortName } from "./names/names.ts";

/** Lists answer in time that does not grow with what is stored: this many rows are looked at, and `more` says so. */
const MOST_LOOKED_AT = 50_000;
/** Counting stops here. */
const MOST_COUNTED = 10_000;

export interface PageWish {
  readonly page: number;
  readonly limit: number;
}

export interface Listing {
  /** A select of candidates in their order, with `$1…` for `params`; only the first of them are looked at. */
  readonly candidates: string;
  readonly params: readonly unknown[];
  /** What a row of them must fulfil to be listed, if anything; numbers go on after `params`. */
  readonly where?: { readonly sql: string; readonly params: readonly unknown[] } | undefined;
  /** The order of candidates again: it is not kept through a filter. */
  readonly order: string;
}

export interface BoundedCount {
  readonly total: number;
  readonly isMore: boolean;
}

export async function countRows(rows: Pick<Tx, "query">, listing: Listing): Promise<BoundedCount> {
  const { from, params } = boundedBy(listing);
  const counted = await countOf(rows, `select 1 as one ${from} limit ${MOST_COUNTED + 1}`, params);
  const isMore = counted > MOST_COUNTED || (listing.where !== undefined && (await isCutShort(rows, listing)));
  return { total: Math.min(counted, MOST_COUNTED), isMore };
}

/** Whether there are candidates that a filter did not get to see. */
async function isCutShort(rows: Pick<Tx, "query">, { candidates, params }: Listing): Promise<boolean> {
  const looked = await countOf(rows, `${candidates} limit ${MOST_LOOKED_AT + 1}`, params);
  return looked > MOST_LOOKED_AT;
}

async function countOf(rows: Pick<Tx, "query">, sql: string, params: readonly unknown[]): Promise<number> {
  const [found] = await rows.query<{ count: number }>(`select count(*) as count from (${sql}) as c`, params);
  return found?.count ?? 0;
}

export async function rowsOf<Row>(
  rows: Pick<Tx, "query">,
  listing: Listing,
  stretch: { offset: number; limit: number },
): Promise<Row[]> {
  if (stretch.limit <= 0) return [];
  const { from, params } = boundedBy(listing);
  return rows.query<Row>(
    `select * ${from} order by ${listing.order} limit ${stretch.limit} offset ${stretch.offset}`,
    params,
  );
}

function boundedBy({ candidates, params, where }: Listing): { from: string; params: unknown[] } {
  const filter = where ? ` where ${where.sql}` : "";
  return {
    from: `from (${candidates} limit ${MOST_LOOKED_AT}) as c${filter}`,
    params: [...params, ...(where?.params ?? [])],
  };
}

/** A page as the wire has it. */
export function pageOf<Item>({ page, limit }: PageWish, { total, isMore }: BoundedCount, items: Item[]) {
  return { total, page, limit, items, ...(isMore ? { more: true as const } : {}) };
}

/** Names that contain a text, whatever its letters' case. */
export function containing(text: string | undefined, number: number): Listing["where"] {
  if (text === undefined) return undefined;
  const pattern = `%${sortName(text).replace(/[\\%_]/g, "\\$&")}%`;
  return { sql: `"sortName" like $${number} escape '\\'`, params: [pattern] };
}

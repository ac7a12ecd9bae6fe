import type { Store } from "@andon/engine";
import { sortName } from "./names/names.ts";

/**
 * A search without an index reads at most this many rows, so that its time does not grow with the number of stored
 * rows.
 */
const MOST_LOOKED_AT = 50_000;
/** Counting stops here. */
const MOST_COUNTED = 10_000;

export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

export interface Listing {
  /** A select with a condition and no order, with `$1…` for `params`. */
  readonly candidates: string;
  readonly params: readonly unknown[];
  /** The order of the list, by names of its columns. */
  readonly order: string;
  /** No index has these candidates in their order: only the first `MOST_LOOKED_AT` of them are sorted and listed. */
  readonly isUnordered?: true;
  /**
   * Lists only rows whose `sort_name`, selected as `sortName`, contains this text, without regard to case. Names that
   * begin with it come first.
   */
  readonly text?: string | undefined;
}

export interface BoundedCount {
  readonly total: number;
  readonly isMore: boolean;
}

type Rows = Pick<Store, "scan">;

/** A section of a list. A limit and an offset are appended to its statement. */
interface Section {
  readonly sql: string;
  readonly params: readonly unknown[];
}

export async function countRows(rows: Rows, listing: Listing): Promise<BoundedCount> {
  let counted = 0;
  for (const section of sectionsOf(listing)) {
    counted += await countOf(rows, section, MOST_COUNTED + 1);
    if (counted > MOST_COUNTED) return { total: MOST_COUNTED, isMore: true };
  }
  return { total: counted, isMore: listing.text !== undefined && (await isCutShort(rows, listing)) };
}

/** Counts all rows without a limit: the count is the offset of the rows that are listed after them. */
export async function countAll(rows: Rows, listing: Listing): Promise<number> {
  let counted = 0;
  for (const section of sectionsOf(listing)) counted += await countOf(rows, section);
  return counted;
}

/** Whether there are candidates that a search did not read. */
async function isCutShort(rows: Rows, { candidates: sql, params }: Listing): Promise<boolean> {
  return (await countOf(rows, { sql, params }, MOST_LOOKED_AT + 1)) > MOST_LOOKED_AT;
}

async function countOf(rows: Rows, { sql, params }: Section, most?: number): Promise<number> {
  const limit = most === undefined ? "" : ` limit ${most}`;
  const [found] = await rows.scan<{ count: number }>(
    `select count(*) as count from (${sql}${limit}) as c`,
    params,
  );
  return found?.count ?? 0;
}

export async function rowsOf<Row>(
  rows: Rows,
  listing: Listing,
  { offset, limit }: { offset: number; limit: number },
): Promise<Row[]> {
  const found: Row[] = [];
  let before = offset;
  for (const section of sectionsOf(listing)) {
    const wanted = limit - found.length;
    if (wanted <= 0) break;
    const { sql, params } = section;
    const read = await rows.scan<Row>(`${sql} limit ${wanted} offset ${before}`, params);
    found.push(...read);
    // If the page begins after this section, it continues in the next one, with the rest of the offset.
    if (before > 0) before = read.length > 0 ? 0 : Math.max(0, before - (await countOf(rows, section)));
  }
  return found;
}

/**
 * Rows with an index for their order are read from it, however many precede the page. A text within names is searched
 * only among the first candidates; names that begin with it are a range of the index, so all of them are found.
 */
function sectionsOf({ candidates, params, order, isUnordered, text }: Listing): Section[] {
  const ordered = `${candidates} order by ${order}`;
  const looked = `select * from (${isUnordered ? candidates : ordered} limit ${MOST_LOOKED_AT}) as c`;
  if (text === undefined) {
    return [{ sql: isUnordered ? `${looked} order by ${order}` : ordered, params }];
  }
  const wanted = sortName(text);
  const [from, to, like] = [1, 2, 3].map((number) => `$${params.length + number}`);
  const range = [wanted, `${wanted}\u{10ffff}`];
  const pattern = `%${wanted.replace(/[\\%_]/g, "\\$&")}%`;
  return [
    {
      sql: `${candidates} and sort_name >= ${from} and sort_name < ${to} order by ${order}`,
      params: [...params, ...range],
    },
    {
      sql: `${looked} where "sortName" like ${like} escape '\\' and not ("sortName" >= ${from} and "sortName" < ${to})
order by ${order}`,
      params: [...params, ...range, pattern],
    },
  ];
}

/** A page in the format of the API. */
export function pageOf<Item>({ page, limit }: PageRequest, { total, isMore }: BoundedCount, items: Item[]) {
  return { total, page, limit, items, ...(isMore ? { more: true as const } : {}) };
}

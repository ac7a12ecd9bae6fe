/** How far a total is counted where nobody keeps it, and how far pages go down; an answer that stopped there says `more`. */
export const MOST_COUNTED = 10_000;
/** How many rows are looked at one by one among very many. */
export const MOST_LOOKED_AT = 1_000;

/** What is no more than is counted anyhow is looked at whole, so that its total is exact. */
export function lookedAtOf(stored: number): number {
  return stored <= MOST_COUNTED ? MOST_COUNTED : MOST_LOOKED_AT;
}

/** A total of rows, where one row more than is counted was requested. */
export function totalOf(rows: number): { total: number; more?: true } {
  return rows > MOST_COUNTED ? { total: MOST_COUNTED, more: true } : { total: rows };
}

/** How far a total is counted if no count is kept, and how far pages go; an answer that stopped there says `more`. */
export const MOST_COUNTED = 10_000;
/** How many rows are read one by one among very many. */
export const MOST_LOOKED_AT = 1_000;

/** If there are no more rows than are counted anyway, all are read, so that the total is exact. */
export function lookedAtOf(stored: number): number {
  return stored <= MOST_COUNTED ? MOST_COUNTED : MOST_LOOKED_AT;
}

/** The total; `rows` were counted with a limit of one more than the bound. */
export function totalOf(rows: number): { total: number; more?: true } {
  return rows > MOST_COUNTED ? { total: MOST_COUNTED, more: true } : { total: rows };
}

/** Of an execution's row: whether it was resumed by hand, or made by a retry. */
export const RETRIED_BY_HAND = `retries, retry_of as "retryOf"`;

export interface RetriedByHand {
  readonly retries: number;
  readonly retryOf: string | null;
}

/** The row says it, not the process that took the decision: another one may run the execution. */
export function isRetriedByHand(row: RetriedByHand | undefined): boolean {
  return row !== undefined && (Number(row.retries) > 0 || row.retryOf !== null);
}

/** Columns that show whether an execution was resumed by hand or created by a retry. */
export const RETRIED_BY_HAND = `retries, retry_of as "retryOf"`;

export interface RetriedByHand {
  readonly retries: number;
  readonly retryOf: string | null;
}

/**
 * Read from the row and not from memory, because another process than the one that took the decision may run the execution.
 */
export function isRetriedByHand(row: RetriedByHand | undefined): boolean {
  return row !== undefined && (Number(row.retries) > 0 || row.retryOf !== null);
}

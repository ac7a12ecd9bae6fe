/** Jobs that each wave of a ramped resume starts, unless the operator says otherwise. */
export const DEFAULT_WAVES: readonly number[] = [1, 10, 100];
export const MOST_WAVES = 20;
export const LARGEST_WAVE = 10_000;

/** `true`: the default waves. */
export type RampWish = boolean | null | { readonly waves: readonly number[] };

/** How far a ramped resume is: of the present wave, how many jobs it has started and what became of them. */
export interface RampStatus {
  /** From 1. */
  readonly wave: number;
  readonly waves: readonly number[];
  readonly started: number;
  /** Ended, however, but not failed. */
  readonly done: number;
  readonly failed: number;
}

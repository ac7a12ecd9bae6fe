/** Jobs that each wave of a ramped resume starts, unless the operator says otherwise. */
export const DEFAULT_WAVES: readonly number[] = [1, 10, 100];
export const MOST_WAVES = 20;
export const LARGEST_WAVE = 10_000;

/** `true`: the default waves. */
export type RampWish = boolean | null | { readonly waves: readonly number[] };

/** The progress of a ramped resume: how many jobs the current wave has started, and how they ended. */
export interface RampStatus {
  /** From 1. */
  readonly wave: number;
  readonly waves: readonly number[];
  readonly started: number;
  /** Jobs that ended in any way other than a failure. */
  readonly done: number;
  readonly failed: number;
}

import { pause } from "../sqs/pause.ts";
import type { ManyRedrives } from "./redrive-many.ts";

/** How often it is looked whether somebody has started a redrive. */
const LOOK_MS = 1_000;

/** Carries out redrives of many, one letter after the other at their rate, until the signal aborts. */
export async function runRedrives(many: ManyRedrives, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await pause((await many.step()) ?? LOOK_MS, signal);
}

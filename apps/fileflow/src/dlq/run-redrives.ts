import type { Store } from "@andon/engine";
import { EXECUTION_QUEUE } from "../fileflow-context.ts";
import { pause } from "../sqs/pause.ts";
import type { ManyRedrives } from "./redrive-many.ts";

/** The shortest interval between two checks for a started redrive. */
const LOOK_MS = 1_000;
/** The interval without a signal, in case a signal was lost. */
const SELDOM_MS = 60_000;

/** Carries out redrives of many, letter by letter at their rate, until the signal aborts. */
export async function runRedrives(
  many: ManyRedrives,
  store: Pick<Store, "onSignal">,
  signal: AbortSignal,
): Promise<void> {
  let news = new AbortController();
  const off = store.onSignal((heard) => {
    if (heard.kind === "any" || (heard.kind === "work" && heard.queue === EXECUTION_QUEUE)) news.abort();
  });
  try {
    while (!signal.aborted) {
      // Created before the step: a signal that arrives during the step may refer to something that the step did not see.
      news = new AbortController();
      const next = await many.step();
      await pause(next ?? LOOK_MS, signal);
      if (next === undefined) await pause(SELDOM_MS, AbortSignal.any([signal, news.signal]));
    }
  } finally {
    off();
  }
}

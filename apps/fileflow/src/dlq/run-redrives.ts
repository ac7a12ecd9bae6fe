import type { Store } from "@andon/engine";
import { EXECUTION_QUEUE } from "../fileflow-context.ts";
import { pause } from "../sqs/pause.ts";
import type { ManyRedrives } from "./redrive-many.ts";

/** How often it looks at most whether somebody has started a redrive. */
const LOOK_MS = 1_000;
/** How often it looks without a signal: for one that was lost. */
const SELDOM_MS = 60_000;

/** Carries out redrives of many, one letter after the other at their rate, until the signal aborts. */
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
      // What is told from now on may come too late for this look.
      news = new AbortController();
      const next = await many.step();
      await pause(next ?? LOOK_MS, signal);
      if (next === undefined) await pause(SELDOM_MS, AbortSignal.any([signal, news.signal]));
    }
  } finally {
    off();
  }
}

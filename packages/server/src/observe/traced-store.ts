import type { Store } from "@andon/engine";
import type { Traces } from "./traces.ts";

/** Gives every verb of the store a span below its request or job. */
export function traceStore(store: Store, traces: Traces): void {
  const transaction = store.transaction.bind(store);
  store.transaction = (verb, work, limitMs) =>
    traces.below(`store ${verb}`, { "andon.verb": verb }, () => transaction(verb, work, limitMs));
}

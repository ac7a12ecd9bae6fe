import type { Search } from "../ui/address.ts";

/** What is open comes first: it may be the reason why somebody looks. */
export const ALERT_STATES = ["firing", "resolved", "all"] as const;

/** The state whose alerts an address asks for; undefined: all of them. */
export function alertStateOf(search: Search): "firing" | "resolved" | undefined {
  const state = ALERT_STATES.find((each) => each === search.state) ?? "firing";
  return state === "all" ? undefined : state;
}

import type { Search } from "../ui/address.ts";

/** Open alerts come first, because they may be the reason for the visit. */
export const ALERT_STATES = ["firing", "resolved", "all"] as const;

/** The state that an address selects; undefined for all alerts. */
export function alertStateOf(search: Search): "firing" | "resolved" | undefined {
  const state = ALERT_STATES.find((each) => each === search.state) ?? "firing";
  return state === "all" ? undefined : state;
}

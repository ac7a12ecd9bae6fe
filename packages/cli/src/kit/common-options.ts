import { JOB_STATES } from "@andon/contract";
import { HELP } from "../words/help.ts";

/** The queue of the short paths: what an operator means who names none. */
export const DEFAULT_QUEUE = "nas-sync";

export const queueArgument = { queue: { says: HELP.queueArgument, optional: true } } as const;
export const queueOption = { queue: { says: HELP.queueOption, value: "queue" } } as const;
export const reasonOption = { reason: { says: HELP.reason, value: "text" } } as const;
export const reasonRequired = {
  reason: { says: HELP.reasonRequired, value: "text", required: true },
} as const;

export const pagingOptions = {
  page: { says: HELP.page, value: "number", whole: true },
  // The server gives 100 at most, whatever is asked for: who asks for more must not take them for all.
  limit: { says: HELP.limit, value: "number", whole: true, most: 100 },
} as const;

/** Which jobs are meant, beside their queue. */
export const filterOptions = {
  state: { says: HELP.filterState, value: "state", choices: JOB_STATES },
  key: { says: HELP.filterKey, value: "key" },
  name: { says: HELP.filterName, value: "kind" },
  tenant: { says: HELP.filterTenant, value: "tenant" },
  from: { says: HELP.filterFrom, value: "time", time: true },
  to: { says: HELP.filterTo, value: "time", time: true },
  fingerprint: { says: HELP.filterFingerprint, value: "fingerprint" },
  text: { says: HELP.filterText, value: "text" },
} as const;

type Filter = {
  readonly [Name in keyof typeof filterOptions]: Name extends "state"
    ? (typeof JOB_STATES)[number] | undefined
    : string | undefined;
};

/** The options as the filter of the API. */
export function filterOf({ state, key, name, tenant, from, to, fingerprint, text }: Filter) {
  return { state, key, name, tenantId: tenant, from, to, fingerprint, text };
}

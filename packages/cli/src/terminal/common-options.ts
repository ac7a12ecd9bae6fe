import { JOB_STATES } from "@andon/contract";
import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import type { Use } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failures.ts";

/** The queue that was named, else the default one. */
export function queueOf({ defaultQueue }: Pick<Use, "defaultQueue">, named: string | undefined): string {
  const queue = named ?? defaultQueue;
  if (queue === undefined) throw new Failure(EXIT.usage, WORDS.queueMissing);
  return queue;
}

export const queueArgument = { queue: { says: HELP.queueArgument, optional: true } } as const;
export const queueOption = { queue: { says: HELP.queueOption, value: "queue" } } as const;
export const reasonOption = { reason: { says: HELP.reason, value: "text" } } as const;
export const reasonRequired = {
  reason: { says: HELP.reasonRequired, value: "text", required: true },
} as const;

export const yesOption = { yes: { says: HELP.yes } } as const;
export const dryRunOption = { dryRun: { says: HELP.dryRun } } as const;
export const rampOptions = {
  ramp: { says: HELP.ramp },
  waves: { says: HELP.waves, value: "list" },
} as const;

/** The requested waves. Undefined: all jobs at once. */
export function rampOf({ ramp, waves }: { readonly ramp: boolean; readonly waves: string | undefined }) {
  if (waves === undefined) return ramp ? true : undefined;
  const numbers = waves.split(",").map((text) => Number(text.trim()));
  if (!numbers.every((number) => Number.isInteger(number) && number > 0))
    throw new Failure(EXIT.usage, WORDS.wavesWrong);
  return { waves: numbers };
}

export const pagingOptions = {
  page: { says: HELP.page, value: "number", whole: true },
  // The server returns at most 100 rows. A larger limit is refused, because 100 rows could be mistaken for all rows.
  limit: { says: HELP.limit, value: "number", whole: true, most: 100 },
} as const;

/** Filters for jobs, apart from the queue. */
export const filterOptions = {
  state: { says: HELP.filterState, value: "state", choices: JOB_STATES },
  key: { says: HELP.filterKey, value: "key" },
  name: { says: HELP.filterName, value: "kind" },
  tenant: { says: HELP.filterTenant, value: "tenant" },
  from: { says: HELP.filterFrom, value: "time", time: true },
  to: { says: HELP.filterTo, value: "time", time: true },
  fingerprint: { says: HELP.filterFingerprint, value: "fingerprint" },
  code: { says: HELP.filterCode, value: "code" },
  text: { says: HELP.filterText, value: "text" },
} as const;

type Filter = {
  readonly [Name in keyof typeof filterOptions]: Name extends "state"
    ? (typeof JOB_STATES)[number] | undefined
    : string | undefined;
};

/** A queue, a tenant and a key identify a lane. */
export const laneTenantOption = { tenant: { says: HELP.laneTenant, value: "tenant" } } as const;

/** The options as the filter of the API. */
export function filterOf({ state, key, name, tenant, from, to, fingerprint, code, text }: Filter) {
  return { state, key, name, tenantId: tenant, from, to, fingerprint, code, text };
}

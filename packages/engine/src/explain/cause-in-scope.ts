import type { Scope } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import type { Cause } from "./sentences.ts";

interface TenantRule {
  /** The fact that names a job; absent: the facts are about the jobs of all tenants together. */
  readonly names?: string;
  /** Shown if that job is within the scope. Default: the cause unchanged. */
  readonly own?: Shown;
  /** Shown otherwise. */
  readonly foreign: Shown;
}

interface Shown {
  readonly rule: string;
  readonly facts: readonly string[];
}

const LANE_WAITS: Shown = { rule: "lane.waits", facts: ["key"] };
const LINE_WAITS: Shown = { rule: "line.waits", facts: [] };
const STOPPED: Shown = { rule: "queue.stopped", facts: ["since", "reason"] };

/**
 * Rules whose facts reach beyond one tenant. A tenant must not see the jobs of other tenants, their errors or their
 * number: it sees that its own job waits, and whether a person has to act.
 */
const TENANT_RULES: Readonly<Record<string, TenantRule>> = {
  "lane.held-by-failure": { names: "failedJob", foreign: LANE_WAITS },
  "lane.behind": {
    names: "headJob",
    own: { rule: "lane.behind-own", facts: ["key", "headJob", "headState"] },
    foreign: LANE_WAITS,
  },
  "queue.stopped-by-failure": { names: "failedJob", foreign: STOPPED },
  "queue.stopped-without-failed-job": { names: "failedJob", foreign: STOPPED },
  "queue.degraded": { names: "probe", foreign: { rule: "queue.destination-sick", facts: ["since"] } },
  "queue.concurrency": { foreign: LINE_WAITS },
  "queue.rate": { foreign: LINE_WAITS },
  "stage.concurrency": { foreign: LINE_WAITS },
  "line.running": { names: "by", foreign: LINE_WAITS },
  "line.backoff": { names: "by", foreign: LINE_WAITS },
  "line.ahead": { foreign: LINE_WAITS },
};

/** A cause as shown to a caller who sees only one tenant, or one organisation of it. */
export async function causeInScope(store: Store, cause: Cause, scope: Scope): Promise<Cause> {
  const known = TENANT_RULES[cause.rule];
  if (!known) return cause;
  const shown = (await isOwn(store, known, cause, scope)) ? known.own : known.foreign;
  if (!shown) return cause;
  return {
    rule: shown.rule,
    facts: Object.fromEntries(shown.facts.map((name) => [name, cause.facts[name]])),
  };
}

async function isOwn(store: Store, { names }: TenantRule, { facts }: Cause, scope: Scope): Promise<boolean> {
  const id = names === undefined ? undefined : facts[names];
  return typeof id === "string" && (await store.read.job({ id }, scope)) !== undefined;
}

import type { AppLog, AppSite } from "@andon/app";
import type { Principal } from "@andon/contract";
import type { FileflowSettings, SqsSettings } from "./contract/settings.ts";
import type { Extractor } from "./extract/port.ts";
import type { Buckets } from "./objects/buckets.ts";
import type { References } from "./objects/references.ts";
import type { WorkingCopies } from "./objects/working-copies.ts";
import type { Pipelines } from "./pipelines/pipelines.ts";
import type { SqsQueues } from "./sqs/sqs-queues.ts";

export const EXECUTION_QUEUE = "fileflow";
/** The queue of jobs that schedules create. Each job lists the objects of its schedule and creates their executions. */
export const SCHEDULE_QUEUE = "fileflow-schedules";

/** What the modules of this app share. */
export interface FileflowContext extends AppSite {
  readonly settings: FileflowSettings;
  readonly sqsSettings: SqsSettings;
  readonly pipelines: Pipelines;
  readonly buckets: Buckets;
  readonly references: References;
  readonly copies: WorkingCopies;
  readonly extractor: () => Promise<Extractor>;
  /** Undefined if the settings name no queue. */
  readonly sqs: SqsQueues | undefined;
  readonly log: AppLog;
}

/** The rows that a caller may see; null: those of every tenant or organisation. */
export interface Scope {
  readonly tenantId: string | null;
  readonly organizationId: string | null;
}

export function scopeOf({ principal }: { principal: Principal }): Scope {
  const { tenantId, organizationId } = principal;
  return { tenantId: tenantId ?? (organizationId === null ? null : "default"), organizationId };
}

/** A caller's decision about a row in their scope. */
export function decisionOf(call: { principal: Principal }, reason?: string | undefined) {
  const { tenantId, organizationId } = scopeOf(call);
  return { actor: call.principal.actor, reason, tenant: tenantId, organization: organizationId };
}

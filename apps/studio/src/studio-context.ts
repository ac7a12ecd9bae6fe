import type { AppLog, AppSite } from "@andon/app";
import type { Decision, Principal } from "@andon/contract";
import type { StudioSettings } from "./contract/settings.ts";
import type { TaskFiles } from "./files/task-files.ts";
import type { Phase } from "./phases/phase-list.ts";

export const TASK_QUEUE = "studio";
export const CLEANUP_QUEUE = "studio-cleanup";

/** What the modules of this app share. */
export interface StudioContext extends AppSite {
  readonly settings: StudioSettings;
  readonly phases: readonly Phase[];
  readonly files: TaskFiles;
  /** A folder of this machine for work in progress. */
  readonly workFolder: string;
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

/** The owner of a task that a caller creates. */
export function ownerOf(call: { principal: Principal }): { tenantId: string; organizationId: string | null } {
  const { tenantId, organizationId } = scopeOf(call);
  return { tenantId: tenantId ?? "default", organizationId };
}

export function scopeOfDecision({ tenant, organization }: Decision): Scope {
  return { tenantId: tenant ?? null, organizationId: organization ?? null };
}

export function decisionOf(call: { principal: Principal }, reason: string | undefined): Decision {
  const { tenantId, organizationId } = scopeOf(call);
  return {
    actor: call.principal.actor,
    ...(reason === undefined ? {} : { reason }),
    ...(tenantId === null ? {} : { tenant: tenantId }),
    ...(organizationId === null ? {} : { organization: organizationId }),
  };
}

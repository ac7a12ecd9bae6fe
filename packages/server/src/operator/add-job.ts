import { AndonError, isAndonError, type Localized, type ROUTES } from "@andon/contract";
import type { Added, JobOptions, Queue, StoreTx } from "@andon/engine";
import { validationFailed } from "../http/checked-request.ts";
import type { HttpCall } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { decidableQueue } from "./find.ts";
import { namedScope } from "./scope.ts";

type AddCall = HttpCall<(typeof ROUTES)["queues"]["add"]>;

/**
 * Adds a job for a caller. An add with a reason is a person's decision and gets an audit row; an add without one is a
 * program's daily work, and such adds share commits. A repeated idempotency key changes nothing.
 */
export async function addJob(site: Site, call: AddCall): Promise<Added> {
  const { queue, takesJobs } = await decidableQueue(site, call.params.queue);
  if (!takesJobs) throw new AndonError("JOBS_FROM_APP", { queue: queue.name });
  const { payload, tenantId, organizationId, runAt, reason, ...rest } = call.body;
  const scope = namedScope(call.principal, { tenantId, organizationId });
  const options: JobOptions = {
    ...rest,
    ...scope,
    ...(runAt === undefined ? {} : { runAt: new Date(runAt) }),
    traceId: call.traceId,
  };
  const why = reason?.trim();
  if (!why) return checkedAdd(queue, payload ?? null, options);
  return site.andon.store.transaction("add", async (tx) => {
    const added = await checkedAdd(queue, payload ?? null, { ...options, tx });
    if (added.isNew) await auditAdd(tx, call, why, added.id, options);
    return added;
  });
}

/** The API's field for an engine option of another name. */
const FIELD_OF: Readonly<Record<string, string>> = {
  tenant: "tenantId",
  organization: "organizationId",
};

/** The engine checks the options of every add. Over HTTP an option that it refuses is reported as an invalid field. */
async function checkedAdd(queue: Queue<unknown>, payload: unknown, options: JobOptions): Promise<Added> {
  try {
    return await queue.add(payload, options);
  } catch (error) {
    if (!isAndonError(error, "INVALID_OPTION")) throw error;
    const option = String(error.details.option);
    throw validationFailed([
      { in: "body", field: FIELD_OF[option] ?? option, message: error.details.allowed as string | Localized },
    ]);
  }
}

/** The payload is left out: jobs are purged after some time, audit rows are not. */
async function auditAdd(
  tx: StoreTx,
  call: AddCall,
  reason: string,
  id: string,
  { name, key, keys }: JobOptions,
): Promise<void> {
  await tx.addAudit({
    actor: call.principal.actor,
    action: "job.add",
    target: `job:${id}`,
    reason,
    before: null,
    after: {
      queue: call.params.queue,
      name: name ?? call.params.queue,
      keys: keys ?? (key === undefined ? [] : [key]),
    },
  });
}

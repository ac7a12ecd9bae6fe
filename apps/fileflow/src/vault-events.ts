import type { AnnouncedObject } from "@andon/app";
import type { StoreTx, Tx } from "@andon/engine";
import type { Figures } from "./figures.ts";
import { EXECUTION_QUEUE, type FileflowContext } from "./fileflow-context.ts";
import { createExecutions, executionOf } from "./ingest/create-executions.ts";
import { matchesType } from "./pipelines/match.ts";

/** Turns files that another app has stored into events, in the transaction that stores them. */
export async function takeAnnounced(
  context: FileflowContext,
  figures: Figures,
  objects: readonly AnnouncedObject[],
  tx: Tx,
): Promise<void> {
  const { pipelines, settings } = context;
  const events = objects
    .filter(({ mimeType }) => matchesType(settings.vault.match, mimeType))
    .map((object) => {
      const { bucket, key, size, mimeType, versionId, tenantId, fileId, actor } = object;
      const organizationId = object.organizationId ?? "default";
      const pipeline = pipelines.for({ mimeType, tenantId, bucket, key });
      return executionOf({
        bucket,
        key,
        size,
        mimeType,
        versionId,
        sequencer: null,
        eTag: null,
        tenantId,
        organizationId,
        fileId,
        uploader: actor,
        traceId: object.traceId ?? "",
        occurredAt: context.andon.store.clock.now(),
        pipelineCode: pipeline.code,
        priority: pipeline.priority,
      });
    });
  if (events.length === 0) return;
  const made = await createExecutions(tx as StoreTx, context.queue(EXECUTION_QUEUE), pipelines, events);
  for (const [at, event] of events.entries()) figures.taken(event, made[at] as { created: boolean });
}

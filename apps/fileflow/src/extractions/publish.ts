import type { Tx } from "@andon/engine";
import type { Extracted, StageRun } from "../stages/stage-program.ts";
import { RECEIVER_KIND, TARGET_KIND, targetName } from "./targets.ts";

/** An extraction event, as receivers get it. */
export interface ExtractionEvent {
  readonly idempotencyKey: string;
  readonly executionId: string;
  readonly fileId: string;
  readonly extractionType: string;
  readonly method: string;
  readonly confidence: number;
  readonly traceId: string;
  readonly tenantId: string;
  readonly organizationId: string;
  readonly stage: string;
  readonly contentRef: string | null;
  readonly mimeType: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly publishedAt: number;
}

/**
 * The number of lanes of the built-in receiver: this many events are received in parallel, those of one execution in order.
 */
const RECEIVER_LANES = 16;

/** Sends the event of one extraction, in the transaction that completes the stage. */
export async function publishExtraction(
  { context, executionId, fileId, traceId, tenantId, organizationId }: StageRun,
  extracted: Extracted & { readonly stage: string },
  tx: Tx,
): Promise<void> {
  const { type, method, confidence, stage, ref, mimeType, facts } = extracted;
  const publishedAt = context.andon.store.clock.now();
  const event: ExtractionEvent = {
    idempotencyKey: `${executionId}#${stage}#${type}`,
    executionId,
    fileId,
    extractionType: type,
    method,
    confidence,
    traceId,
    tenantId,
    organizationId,
    stage,
    contentRef: ref,
    mimeType,
    facts,
    publishedAt,
  };
  const { outbox } = context.andon;
  const options = { tx, tenant: tenantId, traceId };
  const lane = Number.parseInt(executionId.replaceAll("-", "").slice(-4), 16) % RECEIVER_LANES;
  await outbox.send({ destination: `fileflow-receiver-${lane}`, kind: RECEIVER_KIND, body: event }, options);
  for (const [at, target] of context.settings.publish.entries())
    await outbox.send(
      { destination: targetName(target, at), kind: TARGET_KIND, body: { at, event } },
      options,
    );
}

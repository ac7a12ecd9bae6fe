/** An event about a created object, independent of the shape of its message. */
export interface ObjectEvent {
  readonly bucket: string;
  readonly key: string;
  readonly size: number | null;
  readonly mimeType: string | null;
  readonly versionId: string | null;
  readonly sequencer: string | null;
  readonly eTag: string | null;
  readonly tenantId: string;
  readonly organizationId: string;
  readonly fileId: string;
  readonly uploader: string | null;
  readonly traceId: string;
  readonly occurredAt: number | null;
  readonly pipelineCode: string;
  readonly priority: number;
}

/** Every kind of creation has this name in the idempotency key. */
const EVENT_NAME = "ObjectCreated";

/** `eventName#bucket#key#pipelineCode`, plus what distinguishes this content of the key from an earlier one. */
export function idempotencyKeyOf(
  event: Pick<ObjectEvent, "bucket" | "key" | "pipelineCode" | "versionId" | "sequencer" | "eTag">,
): string {
  const { bucket, key, pipelineCode, versionId, sequencer, eTag } = event;
  const content = versionId ?? sequencer ?? eTag;
  return [EVENT_NAME, bucket, key, pipelineCode, ...(content === null ? [] : [content])].join("#");
}

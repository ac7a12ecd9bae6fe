import { createHash, randomUUID } from "node:crypto";
import { isStorable } from "@andon/contract";
import type { FileflowSettings } from "../contract/settings.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import { normalise, type RawObject } from "./message-shapes.ts";
import type { ObjectEvent } from "./object-event.ts";
import { refusalReason } from "./refusal-reasons.ts";

/** The owner of an event that does not name one itself. */
export interface MessageOwner {
  readonly tenantId: string | null;
  readonly organizationId: string | null;
}

/** One record of a message: an event, a deletion, or the reasons why it is invalid. */
export type ReadRecord =
  | { readonly event: ObjectEvent }
  /** `deleted`: the object was deleted. */
  | { readonly deleted: { readonly tenantId: string; readonly fileId: string } }
  | { readonly reasons: readonly string[]; readonly raw: string; readonly owner: MessageOwner };

export interface ReadPorts {
  readonly buckets: FileflowSettings["buckets"];
  readonly pipelines: Pipelines;
}

const LONGEST_NAME = 255;
const LONGEST_KEY = 1_024;
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LARGEST_SIZE = Number.MAX_SAFE_INTEGER;

/** The records of a message. A message that cannot be parsed is one invalid record; `s3:TestEvent` has none. */
export function readMessage(ports: ReadPorts, text: string, scope: MessageOwner): ReadRecord[] {
  const found = normalise(text);
  if ("reasons" in found) return [{ reasons: found.reasons, raw: text, owner: scope }];
  const isWhole = found.objects.length === 1;
  return found.objects.map((object) => readRecord(ports, object, scope, isWhole ? text : undefined));
}

function readRecord(
  { buckets, pipelines }: ReadPorts,
  { raw, fields, isDeletion, problems }: RawObject,
  scope: MessageOwner,
  whole: string | undefined,
): ReadRecord {
  const reasons = [...problems];
  const text = (name: string, given: unknown, longest: number, isNeeded: boolean): string | null => {
    if (given === undefined || given === null) {
      if (isNeeded) reasons.push(refusalReason("MISSING", { field: name }));
      return null;
    }
    if (typeof given !== "string") reasons.push(refusalReason("NOT_TEXT", { field: name }));
    else if (given === "" && isNeeded) reasons.push(refusalReason("EMPTY", { field: name }));
    else if (Buffer.byteLength(given) > longest)
      reasons.push(refusalReason("TOO_LONG", { field: name, most: longest }));
    else if (!isStorable(given)) reasons.push(refusalReason("NOT_STORABLE", { field: name }));
    else return given;
    return null;
  };
  const numberOrText = (name: string, given: unknown, longest: number, isNeeded: boolean) =>
    text(name, Number.isSafeInteger(given) ? String(given) : given, longest, isNeeded);

  const bucket = text("bucket", fields.bucket, LONGEST_NAME, true);
  if (bucket !== null && (!BUCKET.test(bucket) || bucket.includes("..")))
    reasons.push(refusalReason("BUCKET"));
  const key = text("key", fields.key, LONGEST_KEY, true);
  const ofBucket = bucket !== null && Object.hasOwn(buckets, bucket) ? buckets[bucket] : undefined;
  // The own schema names the owner; for the other shapes the owner comes from the caller or from the bucket.
  const owner = scope.tenantId ?? (fields.isOwnSchema ? null : ofBucket?.tenantId);
  const tenantId = text("tenantId", fields.tenantId ?? owner, 200, true);
  const fallback = fields.isOwnSchema
    ? scope.organizationId
    : (scope.organizationId ?? ofBucket?.organizationId ?? "default");
  const organizationId = numberOrText("organizationId", fields.organizationId ?? fallback, 200, true);
  const size = sizeOf(fields.size, fields.isOwnSchema, reasons);
  const mimeType = text("mime", fields.mimeType, 200, fields.isOwnSchema);
  const versionId = text("versionId", fields.versionId, 1_024, false);
  const sequencer = text("sequencer", fields.sequencer, 200, false);
  const eTag = text("eTag", fields.eTag, 200, false);
  const uploader = numberOrText("uploaderUserContextId", fields.uploader, 200, false);
  const given = text("traceId", fields.traceId, 200, false);
  const fileId = numberOrText("fileId", fields.fileId, 1_500, false);
  const occurredAt = timeOf(fields.occurredAt, reasons);
  const priority = priorityOf(fields.priority, reasons);
  const code = text("pipelineCode", fields.pipelineCode, 100, false);
  if (code !== null && !pipelines.find(code)) reasons.push(refusalReason("PIPELINE", { code }));
  if (reasons.length > 0 || bucket === null || key === null || tenantId === null || organizationId === null)
    return {
      reasons,
      raw: whole ?? raw(),
      owner: { tenantId: fields.tenantId === undefined ? scope.tenantId : tenantId, organizationId },
    };

  const file = fileId ?? fileIdOf(tenantId, bucket, key);
  if (isDeletion) return { deleted: { tenantId, fileId: file } };
  const matched = { mimeType, tenantId, bucket, key };
  const pipeline = (code === null ? undefined : pipelines.find(code)) ?? pipelines.for(matched);
  return {
    event: {
      ...matched,
      organizationId,
      size,
      versionId: versionId || null,
      sequencer: sequencer || null,
      eTag: eTag || null,
      uploader,
      traceId: given || newTraceId(),
      fileId: file,
      occurredAt,
      pipelineCode: pipeline.code,
      priority: priority ?? pipeline.priority,
    },
  };
}

/** From a UUID, because Node generates random bytes for many UUIDs at a time. */
const newTraceId = () => randomUUID().replaceAll("-", "");

/** The same object has the same id, whatever its content. */
export function fileIdOf(tenantId: string, bucket: string, key: string): string {
  return `s3_${createHash("sha256")
    .update(JSON.stringify([tenantId, bucket, key]))
    .digest("hex")
    .slice(0, 32)}`;
}

function sizeOf(given: unknown, isNeeded: boolean, reasons: string[]): number | null {
  if (given === undefined || given === null) {
    if (isNeeded) reasons.push(refusalReason("MISSING", { field: "size" }));
    return null;
  }
  if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= LARGEST_SIZE)
    return given;
  reasons.push(refusalReason("SIZE"));
  return null;
}

function timeOf(given: unknown, reasons: string[]): number | null {
  if (given === undefined || given === null) return null;
  const at = typeof given === "string" && /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isFinite(at)) return at;
  reasons.push(refusalReason("TIME"));
  return null;
}

const MOST_PRIORITY = 1_000;

function priorityOf(given: unknown, reasons: string[]): number | null {
  if (given === undefined || given === null) return null;
  if (typeof given === "number" && Number.isInteger(given) && Math.abs(given) <= MOST_PRIORITY) return given;
  reasons.push(refusalReason("PRIORITY", { most: MOST_PRIORITY }));
  return null;
}

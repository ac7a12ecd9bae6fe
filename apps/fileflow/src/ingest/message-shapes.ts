import { refusalReason } from "./refusal-reasons.ts";

/** The fields of an object event under this app's names, unchecked. */
interface ObjectFields {
  /** Only the app's own schema can name the object's owner, and it must. */
  readonly isOwnSchema: boolean;
  readonly bucket?: unknown;
  readonly key?: unknown;
  readonly size?: unknown;
  readonly mimeType?: unknown;
  readonly versionId?: unknown;
  readonly eTag?: unknown;
  readonly sequencer?: unknown;
  readonly tenantId?: unknown;
  readonly organizationId?: unknown;
  readonly uploader?: unknown;
  readonly fileId?: unknown;
  readonly traceId?: unknown;
  readonly occurredAt?: unknown;
  readonly pipelineCode?: unknown;
  readonly priority?: unknown;
}

export interface RawObject {
  /** The record alone as JSON, created on demand. */
  raw(): string;
  readonly fields: ObjectFields;
  readonly isDeletion: boolean;
  readonly problems: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;
type Found = { readonly objects: readonly RawObject[] } | { readonly reasons: readonly string[] };

const LARGEST_RECORDS = 1_000;
/** Deeper than any real event: such text is meant to break parsers. */
const DEEPEST = 64;

/** The objects of a message in one of its three shapes, or inside an SNS envelope. */
export function normalise(text: string): Found {
  if (isTooDeep(text)) return { reasons: [refusalReason("TOO_DEEP", { most: DEEPEST })] };
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { reasons: [refusalReason("NOT_JSON")] };
  }
  if (!isObject(message)) return { reasons: [refusalReason("NOT_OBJECT")] };
  if (message.Type === "Notification" && typeof message.Message === "string")
    return normalise(message.Message);
  if (message.Event === "s3:TestEvent") return { objects: [] };
  if (Array.isArray(message.Records)) return ofNotification(message.Records);
  if ("detail-type" in message) return ofEventBridge(message);
  if ("type" in message) return ofOwnSchema(message);
  return { reasons: [refusalReason("NO_SHAPE")] };
}

function ofNotification(records: readonly unknown[]): Found {
  if (records.length === 0) return { reasons: [refusalReason("EMPTY", { field: "Records" })] };
  if (records.length > LARGEST_RECORDS)
    return { reasons: [refusalReason("TOO_MANY", { most: LARGEST_RECORDS })] };
  return { objects: records.map(ofRecord) };
}

function ofRecord(given: unknown): RawObject {
  const record = isObject(given) ? given : {};
  const s3 = isObject(record.s3) ? record.s3 : {};
  const object = isObject(s3.object) ? s3.object : {};
  const bucket = isObject(s3.bucket) ? s3.bucket.name : undefined;
  const name = String(record.eventName ?? "").replace(/^s3:/, "");
  const isDeletion = name.startsWith("ObjectRemoved");
  const { key, problems } = decodedKey(object.key);
  if (!isDeletion && !/^ObjectCreated(:|$)/.test(name)) problems.push(refusalReason("EVENT_NAME"));
  return {
    raw: () => JSON.stringify({ Records: [given] }),
    isDeletion,
    problems,
    fields: {
      isOwnSchema: false,
      bucket,
      key,
      size: object.size,
      versionId: object.versionId,
      eTag: object.eTag,
      sequencer: object.sequencer,
      occurredAt: record.eventTime,
    },
  };
}

/** S3 encodes keys like form data: spaces as `+`, all else percent-encoded. */
function decodedKey(given: unknown): { key: unknown; problems: string[] } {
  if (typeof given !== "string") return { key: given, problems: [] };
  try {
    return { key: decodeURIComponent(given.replaceAll("+", " ")), problems: [] };
  } catch {
    return { key: given, problems: [refusalReason("KEY_ENCODING")] };
  }
}

const EVENTBRIDGE_TYPES = ["Object Created", "Object Deleted"];

function ofEventBridge(message: Json): Found {
  const detail = isObject(message.detail) ? message.detail : {};
  const object = isObject(detail.object) ? detail.object : {};
  const type = message["detail-type"];
  const problems = EVENTBRIDGE_TYPES.includes(String(type))
    ? []
    : [refusalReason("MUST_BE", { field: "detail-type", value: "Object Created" })];
  const fields = {
    isOwnSchema: false,
    bucket: isObject(detail.bucket) ? detail.bucket.name : undefined,
    key: object.key,
    size: object.size,
    versionId: object["version-id"],
    eTag: object.etag,
    sequencer: object.sequencer,
    occurredAt: message.time,
  };
  return {
    objects: [
      { raw: () => JSON.stringify(message), fields, problems, isDeletion: type === "Object Deleted" },
    ],
  };
}

const OWN_CREATED = "s3.object.created";
const OWN_DELETED = "s3.object.deleted";

function ofOwnSchema(message: Json): Found {
  const { type, mime, uploaderUserContextId, ...rest } = message;
  const problems =
    type === OWN_CREATED || type === OWN_DELETED
      ? []
      : [refusalReason("MUST_BE", { field: "type", value: OWN_CREATED })];
  const isDeletion = type === OWN_DELETED;
  const sizes = isDeletion ? { size: message.size ?? 0, mimeType: mime ?? "" } : { mimeType: mime };
  const fields = { ...rest, ...sizes, uploader: uploaderUserContextId, isOwnSchema: true };
  return { objects: [{ raw: () => JSON.stringify(message), fields, problems, isDeletion }] };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 92) at++;
      else if (code === 34) inText = false;
    } else if (code === 34) inText = true;
    else if (code === 91 || code === 123) {
      if (++depth > DEEPEST) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

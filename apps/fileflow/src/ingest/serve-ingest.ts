import type { ServeAll } from "@andon/app";
import { AndonError, type Language, type Principal } from "@andon/contract";
import { FileflowError } from "../contract/errors.ts";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import type { DeadLetters } from "../dlq/dead-letters.ts";
import { markDeleted } from "../executions/mark-deleted.ts";
import type { Figures } from "../figures.ts";
import { type FileflowContext, type Scope, scopeOf } from "../fileflow-context.ts";
import { executionOf } from "./create-executions.ts";
import type { Ingest } from "./ingest.ts";
import { type ReadRecord, readMessage } from "./read-message.ts";
import { localReasons, refusalReason } from "./refusal-reasons.ts";

interface Refused {
  readonly error: "PP-400-JSON" | "PP-409-IDEMP";
  readonly dlqId: string;
  readonly reasons: string[];
}
type Answer = { executionId: string; created: boolean } | Refused;

/** The sender of a message and their language. */
interface Asked {
  readonly principal: Principal;
  readonly language: Language;
}

export interface IngestPorts {
  readonly context: FileflowContext;
  readonly ingest: Ingest;
  readonly letters: DeadLetters;
  readonly figures: Figures;
}

export function serveIngest(ports: IngestPorts): ServeAll<typeof FILEFLOW_ROUTES>["ingest"] {
  const { context } = ports;
  return {
    async events(call) {
      const text = typeof call.body === "string" ? call.body : "";
      const scope = scopeOf(call);
      const records = readMessage(
        { buckets: context.settings.buckets, pipelines: context.pipelines },
        text,
        scope,
      );
      for (const record of records) refuseForeign(record, scope);
      const [only] = records;
      if (records.length === 1 && only) return takeOne(ports, only, call);
      const executions = await Promise.all(records.map((record) => takeOfSeveral(ports, record, call)));
      const answers = executions.filter((answer) => answer !== undefined);
      const refused = answers.filter((answer) => "error" in answer);
      if (refused.length > 0 && refused.length === answers.length)
        throw refusal(
          refused.flatMap(({ reasons }) => reasons),
          refused.map(({ dlqId }) => dlqId).join(", "),
        );
      return { executions: answers };
    },
  };
}

/** A message that names a tenant or organisation outside the caller's scope is refused, and not kept as a dead letter. */
function refuseForeign(record: ReadRecord, { tenantId, organizationId }: Scope): void {
  const named = "event" in record ? record.event : "deleted" in record ? undefined : record.owner;
  if (tenantId !== null && named?.tenantId && named.tenantId !== tenantId)
    throw new AndonError("PP-403-SCOPE", { given: named.tenantId });
  if (organizationId !== null && named?.organizationId && named.organizationId !== organizationId)
    throw new AndonError("PP-403-SCOPE", { given: named.organizationId });
}

async function takeOne(ports: IngestPorts, record: ReadRecord, asked: Asked) {
  if ("deleted" in record) {
    await takeDeletion(ports, record.deleted);
    return { executions: [] };
  }
  if ("reasons" in record) {
    const { reasons, dlqId } = await keepRefused(ports, asked, { ...record, error: "PP-400-JSON" });
    throw refusal(reasons, dlqId);
  }
  const { ingest, figures } = ports;
  const made = await ingest.create(executionOf(record.event));
  if ("differs" in made) {
    figures.count("consumed", "failed");
    throw new FileflowError("PP-409-IDEMP", made);
  }
  figures.taken(record.event, made);
  return made;
}

async function takeOfSeveral(
  ports: IngestPorts,
  record: ReadRecord,
  asked: Asked,
): Promise<Answer | undefined> {
  if ("deleted" in record) {
    await takeDeletion(ports, record.deleted);
    return undefined;
  }
  if ("reasons" in record) return keepRefused(ports, asked, { ...record, error: "PP-400-JSON" });
  const { ingest, figures } = ports;
  const execution = executionOf(record.event);
  const made = await ingest.create(execution);
  if (!("differs" in made)) {
    figures.taken(record.event, made);
    return made;
  }
  const { tenantId, organizationId, idempotencyKey } = execution;
  return keepRefused(ports, asked, {
    error: "PP-409-IDEMP",
    reasons: [refusalReason("DIFFERS", { fields: made.differs, id: made.executionId })],
    raw: JSON.stringify({ type: "s3.object.created", mime: execution.mimeType, ...record.event }),
    owner: { tenantId, organizationId },
    idempotencyKey,
  });
}

async function takeDeletion(
  { context, figures }: IngestPorts,
  deleted: Extract<ReadRecord, { deleted: unknown }>["deleted"],
): Promise<void> {
  await markDeleted(context.andon.store, [deleted]);
  figures.count("consumed", "ok");
}

/** Keeps a record that did not become an execution as a dead letter. */
async function keepRefused(
  { letters, figures }: IngestPorts,
  { principal, language }: Asked,
  record: Extract<ReadRecord, { reasons: unknown }> & Pick<Refused, "error"> & { idempotencyKey?: string },
): Promise<Refused> {
  const dlqId = await letters.keep({ ...record, source: "HTTP", actor: principal.actor });
  figures.count("consumed", "failed");
  return { error: record.error, dlqId, reasons: localReasons(record.reasons, language) };
}

function refusal(reasons: readonly string[], dlqId: string): FileflowError {
  return new FileflowError("PP-400-JSON", {
    problem: reasons.slice(0, 10).join("; "),
    dlqId,
    reasons: reasons.slice(0, 50),
  });
}

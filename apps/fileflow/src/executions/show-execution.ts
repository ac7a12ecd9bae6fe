import { iso, isoOrNull, type Language, localError, withDecision } from "@andon/contract";
import type { FileflowContext, Scope } from "../fileflow-context.ts";
import { STAGE_EVENTS, type StageText, stageText } from "../stages/stage-texts.ts";
import { findExecution, shownItem, stagesOf } from "./execution-rows.ts";
import { shownStage } from "./execution-status.ts";

export async function showExecution(context: FileflowContext, scope: Scope, id: string, language: Language) {
  const { store } = context.andon;
  const row = await findExecution(store, scope, id);
  const template = context.settings.traceUrl;
  return {
    ...shownItem(row, language),
    idempotencyKey: row.idempotencyKey,
    uploaderUserContextId: row.uploader,
    versionId: row.versionId,
    eTag: row.eTag,
    occurredAt: isoOrNull(row.occurredAt === null ? null : Number(row.occurredAt)),
    scheduleId: row.scheduleId,
    retryOf: row.retryOf,
    retriedAs: row.retriedAs,
    retries: Number(row.retries),
    traceUrl:
      template === undefined ? null : template.replaceAll("{traceId}", encodeURIComponent(row.traceId)),
    inputRef: row.inputRef,
    outputRef: row.outputRef,
    cancel:
      row.status === "CANCELLED" && row.resolvedBy !== null && row.resolvedAt !== null
        ? { by: row.resolvedBy, reason: row.resolutionNote, at: iso(Number(row.resolvedAt)) }
        : null,
    ...withDecision(await context.andon.pendingDecision(id)),
    stages: await stagesOf(store, row, language),
  };
}

interface LogRow {
  readonly name: string;
  readonly log: string | null;
  readonly logRef: string | null;
  readonly status: "COMPLETED" | "SKIPPED";
  readonly attempts: number;
  readonly startedAt: number;
  readonly completedAt: number;
}

interface Entry {
  readonly at: string;
  readonly level: "info" | "warn" | "error";
  readonly attempt: number;
  readonly code: string | null;
  readonly message: string;
}

/** The log of each stage: failed attempts from the engine's history, and the lines that the stage itself logged. */
export async function logsOf(context: FileflowContext, scope: Scope, id: string, language: Language) {
  const { andon } = context;
  await findExecution(andon.store, scope, id);
  const rows = await andon.store.query<LogRow>(
    `select name, log, log_ref as "logRef", status, attempts, started_at as "startedAt", completed_at as "completedAt"
     from fileflow_stages where execution_id = $1 order by number`,
    [id],
  );
  const stages = new Map<string, { entries: Entry[]; logRef: string | null }>();
  const of = (name: string) => {
    const known = stages.get(name) ?? { entries: [], logRef: null };
    stages.set(name, known);
    return known;
  };
  for (const row of rows) {
    const stage = of(row.name);
    stage.logRef = row.logRef;
    const own = JSON.parse(row.log ?? "[]") as {
      at: number;
      level: "info" | "warn";
      attempt: number;
      message: StageText;
    }[];
    const entry = (at: number, event: keyof typeof STAGE_EVENTS): Entry => ({
      at: iso(Number(at)),
      level: "info",
      attempt: Number(row.attempts),
      code: null,
      message: STAGE_EVENTS[event][language],
    });
    stage.entries.push(
      entry(row.startedAt, "STARTED"),
      ...own.map((one) => ({
        ...one,
        at: iso(one.at),
        code: null,
        message: stageText(one.message, language),
      })),
      entry(row.completedAt, row.status),
    );
  }
  for (const attempt of await andon.attempts(id)) {
    const name = shownStage(attempt.stage);
    if (name === null) continue;
    of(name).entries.push({
      at: iso(attempt.finishedAt),
      level: attempt.outcome === "failed" ? "error" : "warn",
      attempt: attempt.number,
      code: attempt.code,
      message: localError(attempt, language).message ?? attempt.outcome,
    });
  }
  return {
    stages: [...stages].map(([name, { entries, logRef }]) => ({
      name,
      entries: entries.sort((a, b) => a.at.localeCompare(b.at)),
      logRef,
    })),
  };
}

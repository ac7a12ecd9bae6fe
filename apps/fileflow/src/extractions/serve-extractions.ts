import { Bytes, type Call, Conditions, pageOfRows } from "@andon/app";
import { iso } from "@andon/contract";
import { FileflowError } from "../contract/errors.ts";
import type { FileflowContext, Scope } from "../fileflow-context.ts";

interface ExtractionRow {
  readonly id: string;
  readonly executionId: string;
  readonly fileId: string;
  readonly stage: string;
  readonly extractionType: string;
  readonly method: string;
  readonly confidence: number;
  readonly ref: string | null;
  readonly mimeType: string | null;
  readonly facts: string;
  readonly traceId: string;
  readonly receivedAt: number;
  readonly publishedAt: number;
}

const COLUMNS = `x.id, x.execution_id as "executionId", x.file_id as "fileId", x.stage, x.extraction_type as "extractionType", x.method,
  x.confidence, x.content_ref as ref, x.mime_type as "mimeType", x.facts, x.trace_id as "traceId", x.received_at as "receivedAt",
  x.published_at as "publishedAt"`;
const FROM = "from fileflow_extractions x";
/** Lists show this many bytes of a text. */
const SHOWN_TEXT = 8_192;

export async function listExtractions(
  { andon, references }: FileflowContext,
  scope: Scope,
  executionId: string,
  paging: { page: number; limit: number },
) {
  const conditions = new Conditions().add("x.execution_id = ?", executionId).within(scope, "x");
  const found = await pageOfRows<ExtractionRow, ExtractionRow>(
    andon.store,
    { columns: COLUMNS, from: FROM, order: "x.id" },
    conditions,
    paging,
    (row) => row,
  );
  const items = await Promise.all(
    found.items.map(async ({ publishedAt: _, ...row }) => {
      const { ref, mimeType } = row;
      const isText = ref !== null && mimeType?.startsWith("text/");
      const shown = isText ? await references.readText(ref, SHOWN_TEXT).catch(() => undefined) : undefined;
      return {
        ...row,
        confidence: Number(row.confidence),
        facts: JSON.parse(row.facts) as Record<string, unknown>,
        receivedAt: iso(Number(row.receivedAt)),
        text: shown?.text ?? null,
        isCut: shown?.isCut ?? false,
      };
    }),
  );
  return { ...found, items };
}

/** The whole content of one extraction. */
export async function contentOf(
  { andon, references }: FileflowContext,
  scope: Scope,
  call: Call,
  id: string,
) {
  const conditions = new Conditions().add("x.id = ?", id).within(scope, "x");
  const [row] = await andon.store.query<ExtractionRow>(
    `select ${COLUMNS} ${FROM} ${conditions.where}`,
    conditions.params,
  );
  if (!row || row.ref === null) throw new FileflowError("EXTRACTION_NOT_FOUND");
  const { ref, mimeType, extractionType, publishedAt } = row;
  const read = async (range?: { start: number; end: number }) => {
    try {
      return await references.read(ref, range);
    } catch (error) {
      throw new FileflowError("PP-500-IO", { problem: extractionType }, { cause: error });
    }
  };
  const { stream, size } = await read({ start: 0, end: 1 });
  stream.destroy();
  call.signal.throwIfAborted();
  return new Bytes({
    mimeType: mimeType ?? "application/octet-stream",
    size,
    fileName: ref.split("/").at(-1) ?? "content",
    tag: `${row.id}-${publishedAt}`.replace(/[^\w-]/g, "-"),
    open: async (part) => (await read(part && { start: part.start, end: part.end + 1 })).stream,
  });
}

import type { Store } from "@andon/engine";
import type { ExtractionEvent } from "./publish.ts";

/**
 * Stores an extraction once per key, however often and in whatever order its events arrive. A later event of the same key
 * (the stage ran again) replaces an earlier one; an earlier or equal one changes only the count.
 */
export async function receiveExtraction(store: Store, event: ExtractionEvent): Promise<{ isNew: boolean }> {
  const [row] = await store.transaction("extraction-receive", (tx) =>
    tx.query<{ receives: number }>(
      `insert into fileflow_extractions (id, execution_id, tenant_id, organization_id, file_id, stage, extraction_type, method,
         confidence, content_ref, mime_type, facts, trace_id, published_at, received_at, receives)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 1)
       on conflict (id) do update set
         receives = fileflow_extractions.receives + 1,
         method = case when ${NEWER} then excluded.method else fileflow_extractions.method end,
         confidence = case when ${NEWER} then excluded.confidence else fileflow_extractions.confidence end,
         content_ref = case when ${NEWER} then excluded.content_ref else fileflow_extractions.content_ref end,
         mime_type = case when ${NEWER} then excluded.mime_type else fileflow_extractions.mime_type end,
         facts = case when ${NEWER} then excluded.facts else fileflow_extractions.facts end,
         published_at = case when ${NEWER} then excluded.published_at else fileflow_extractions.published_at end
       returning receives`,
      [
        event.idempotencyKey,
        event.executionId,
        event.tenantId,
        event.organizationId,
        event.fileId,
        event.stage,
        event.extractionType,
        event.method,
        event.confidence,
        event.contentRef,
        event.mimeType,
        JSON.stringify(event.facts),
        event.traceId,
        event.publishedAt,
        tx.now(),
      ],
    ),
  );
  return { isNew: Number(row?.receives) === 1 };
}

const NEWER = "excluded.published_at > fileflow_extractions.published_at";

import { statementsOf, wholeReads } from "@andon/testkit";
import { expect, test } from "vitest";
import { EXECUTION_STATUSES } from "../src/contract/states.ts";
import { FileflowServer } from "./harness.ts";
import { noop, stagesOf } from "./programs.ts";

/** Enough rows that PostgreSQL uses the indexes; a tenth of the executions is open. */
const MANY = 20_000;
const LARGE = ["fileflow_executions", "fileflow_dlq", "andon_jobs", "andon_ended"];
/** The most rows that a list or count may read. */
const MOST_LOOKED_AT = 10_001;

async function fill(server: FileflowServer): Promise<void> {
  const { store } = server.site.andon;
  for (const sql of [
    `insert into fileflow_executions (id, tenant_id, organization_id, file_id, pipeline_code, trigger_type, idempotency_key, trace_id,
  priority, ended_status, error_code, completed_at, created_at)
select '019' || lpad(n::text, 9, '0'), 't' || n % 20, 'o' || n % 7, 'f' || n, case when n % 50 = 0 then 'other' else 'default' end,
  case when n % 50 = 1 then 'RETRY' else 'UPLOAD' end, 'k' || n, 't', 0,
  case when n % 10 > 1 then 'COMPLETED' when n % 100 = 1 then 'TIMEOUT' when n % 100 = 11 then 'CANCELLED' when n % 10 = 1 then 'FAILED' end,
  case when n % 10 = 1 then 'E' end, n, n from generate_series(1, ${MANY}) n`,
    `insert into fileflow_dlq (id, tenant_id, organization_id, source, state, error, reasons, body, received_at)
select '019' || lpad(n::text, 9, '0'), 't' || n % 20, 'o' || n % 7, case when n % 50 = 0 then 'SQS_DLQ' else 'SQS' end,
  case when n % 50 = 1 then 'DEAD' else 'DISCARDED' end, case when n % 50 = 2 then 'PP-500-IO' else 'PP-400-JSON' end, '[]', '{}', n
from generate_series(1, ${MANY}) n`,
    `insert into andon_ended (pos, queue, state, at, tenant) select -n, 'other', 'cancelled', n, 'default' from generate_series(1, ${MANY}) n`,
  ])
    await store.query(sql);
  await store.query("analyze");
}

const FILTERS = [
  "",
  "tenantId=t3",
  "orgId=o3",
  "tenantId=t3&orgId=o3",
  "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z",
  "pipelineCode=other",
  "triggerType=RETRY",
  "fileId=f77",
  "text=zz",
];

/** Whether every limit of a statement is within what lists and counts may read. */
const isBounded = (text: string) => {
  const limits = [...text.matchAll(/\blimit (?:\$|(\d+))/g)].map(([, number = 0]) => Number(number));
  return limits.length > 0 && limits.every((limit) => limit <= MOST_LOOKED_AT);
};

test("no list or count of executions and dead letters reads a whole PostgreSQL table", {
  timeout: 120_000,
}, async () => {
  const server = await FileflowServer.start("postgres", {
    app: { programs: { noop } },
    settings: {
      fileflow: {
        pipelines: [
          { code: "default", stages: stagesOf("noop") },
          { code: "other", stages: stagesOf("noop") },
        ],
      },
    } as never,
  });
  try {
    await server.inStatus(await server.execute(), "COMPLETED");
    await fill(server);
    const rights = ["pipeline.read", "dlq.read"];
    const keys = [
      undefined,
      await server.key(rights, { tenantId: "t3" }),
      await server.key(rights, { tenantId: "t3", organizationId: "o3" }),
    ];
    const statements = await statementsOf(async () => {
      for (const status of [undefined, ...EXECUTION_STATUSES])
        for (const filter of FILTERS)
          await server.done(
            "GET",
            `/pipelines/executions?page=2&${status === undefined ? "" : `status=${status}&`}${filter}`,
          );
      for (const token of keys) {
        const as = token === undefined ? {} : { token };
        for (const status of EXECUTION_STATUSES)
          await server.done("GET", `/pipelines/executions?status=${status}`, as);
        for (const path of ["/pipelines/executions/counts", "/pipelines", "/dlq", "/dlq/counts"])
          await server.done("GET", path, as);
        for (const filter of ["state=DEAD", "error=PP-500-IO", "source=SQS_DLQ"])
          await server.done("GET", `/dlq?${filter}`, as);
      }
      await server.ask("GET", "/metrics");
    });
    expect(statements.size).toBeGreaterThan(50);
    const found = await server.site.andon.store.transaction("test", (tx) =>
      wholeReads(tx, statements, LARGE),
    );
    // Executions between two stages are few, and have an index of their own.
    const isFew = (line: string) => line.includes("using fileflow_executions_on_their_way");
    expect(found.filter((line) => !isFew(line) && !isBounded(line))).toEqual([]);
  } finally {
    await server.close();
  }
});

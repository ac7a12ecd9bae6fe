import { PLANNER_SETTINGS } from "@andon/store";
import pg from "pg";

/** A transaction in which statements are explained. */
interface Explaining {
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Statements by text, with how often each was sent. */
export type Statements = ReadonlyMap<string, { readonly isOfStore: boolean; readonly count: number }>;

/** The names of the store's own prepared statements. */
const OF_STORE = /^andon_[0-9a-f]{16}/;

/** The statements that this process sends to PostgreSQL during `work`. */
export async function statementsOf(work: () => Promise<void>): Promise<Statements> {
  const statements = new Map<string, { isOfStore: boolean; count: number }>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (
    this: pg.Client,
    ...given: [string | { text: string; name?: string }]
  ) {
    const [statement] = given;
    const { text, name = "" } = typeof statement === "string" ? { text: statement } : statement;
    const count = (statements.get(text)?.count ?? 0) + 1;
    statements.set(text, { isOfStore: OF_STORE.test(name), count });
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return statements;
}

const SCAN = /(Seq Scan|Index Scan|Index Only Scan)( Backward)?( using \S+)? on (\S+)/;

/**
 * Statements that would read all of one of these tables: by a sequential scan, or along an index without a condition on
 * it. The store's own are planned with its settings, all others with the database's. Call it in a transaction of the
 * store.
 */
export async function wholeReads(
  tx: Explaining,
  statements: Statements,
  tables: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const [text, { isOfStore }] of statements) {
    if (!/^\s*(select|with|update|delete)/i.test(text)) continue;
    if (!tables.some((table) => text.includes(table))) continue;
    const plan = await planOf(tx, text, isOfStore ? PLANNER_SETTINGS : {});
    for (const [index, line] of plan.entries()) {
      const [, , , , table = ""] = SCAN.exec(line) ?? [];
      if (!tables.includes(table) || /^\s*Index Cond/.test(plan[index + 1] ?? "")) continue;
      found.push(`${line.trim()} of ${text}`);
    }
  }
  return found;
}

async function planOf(tx: Explaining, text: string, settings: object): Promise<string[]> {
  await tx.query("savepoint planning");
  for (const [name, value] of Object.entries(settings)) await tx.query(`set local ${name} = ${value}`);
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const plan = await tx.query<Record<string, unknown>>(
    `explain (generic_plan) ${text}`,
    Array(parameters).fill(null),
  );
  await tx.query("rollback to planning");
  return plan.map((row) => String(row["QUERY PLAN"]));
}

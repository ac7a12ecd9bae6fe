import pg from "pg";

type Rows = Promise<readonly Record<string, unknown>[]>;

/** The statements that this process sends to PostgreSQL while it does something. */
export async function statementsOf(work: () => Promise<void>): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: [string | { text: string }]) {
    const [statement] = given;
    texts.add(typeof statement === "string" ? statement : statement.text);
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return texts;
}

const SCAN = /(Seq Scan|Index Scan|Index Only Scan)( Backward)?( using \S+)? on (\S+)/;

/**
 * Which statements would read all of one of these tables, as a connection of the store plans them: by a sequential scan, or
 * along an index without a condition on it.
 */
export async function wholeReads(
  ask: (sql: string) => Rows,
  statements: ReadonlySet<string>,
  tables: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const text of statements) {
    if (!/^\s*(select|with|update|delete)/i.test(text)) continue;
    if (!tables.some((table) => text.includes(table))) continue;
    const plan = (await ask(`explain (generic_plan) ${text}`)).map((row) => String(row["QUERY PLAN"]));
    for (const [index, line] of plan.entries()) {
      const [, , , , table = ""] = SCAN.exec(line) ?? [];
      if (!tables.includes(table) || /^\s*Index Cond/.test(plan[index + 1] ?? "")) continue;
      found.push(`${line.trim()} of ${text}`);
    }
  }
  return found;
}

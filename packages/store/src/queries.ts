import type { Dialect } from "./dialect.ts";
import { postgresDialect } from "./postgres/dialect.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { enqueueStatements } from "./statements/enqueue.postgres.ts";
import { enqueueTexts } from "./statements/enqueue.sqlite.ts";
import { joinLanesStatements } from "./statements/join-lanes.postgres.ts";
import { progressStatements } from "./statements/progress.postgres.ts";
import { progressTexts } from "./statements/progress.sqlite.ts";
import { turnStatements } from "./statements/turn.postgres.ts";
import { turnTexts } from "./statements/turn.sqlite.ts";
import { sharedStatements } from "./steps/kit.ts";
import "./readers/index.ts";
import "./store-tx.ts";
import "./steps/housekeeper-steps.ts";
import "./steps/worker-steps.ts";

/** Every statement of a dialect by name, as it is sent: what `packages/store/queries` shows. */
export function renderedQueries(dialect: Dialect["name"]): Map<string, string> {
  const isPostgres = dialect === "postgres";
  const rendered = new Map<string, string>();
  for (const [name, source] of sharedStatements())
    rendered.set(name, source(isPostgres ? postgresDialect : sqliteDialect));
  const hot = isPostgres
    ? Object.entries({
        ...enqueueStatements,
        ...joinLanesStatements,
        ...turnStatements,
        ...progressStatements,
      }).map(([name, { text }]) => [name, text] as const)
    : Object.entries({ ...enqueueTexts, ...turnTexts, ...progressTexts });
  for (const [name, text] of hot) rendered.set(`hot-${name.toLowerCase()}`, text);
  return new Map([...rendered].sort(([a], [b]) => (a < b ? -1 : 1)));
}

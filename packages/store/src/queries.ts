import type { Dialect } from "./dialect.ts";
import { postgresDialect } from "./postgres/dialect.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { advanceStatements } from "./statements/advance.postgres.ts";
import { enqueueStatements } from "./statements/enqueue.postgres.ts";
import { enqueueTexts } from "./statements/enqueue.sqlite.ts";
import { finishAndClaimStatements } from "./statements/finish-and-claim.postgres.ts";
import { finishAndClaimTexts } from "./statements/finish-and-claim.sqlite.ts";
import { joinLanesStatements } from "./statements/join-lanes.postgres.ts";
import { progressStatements } from "./statements/progress.postgres.ts";
import { progressTexts } from "./statements/progress.sqlite.ts";
import { replaceOne } from "./statements/replace-one.postgres.ts";
import { sharedStatements } from "./steps/statement-registry.ts";
import "./readers/index.ts";
import "./store-tx.ts";
import "./steps/housekeeper-steps.ts";
import "./steps/save-times.ts";
import "./steps/share-out.ts";
import "./steps/worker-steps.ts";

/** Every statement of a dialect by name, as sent. */
export function renderedQueries(dialect: Dialect["name"]): Map<string, string> {
  const isPostgres = dialect === "postgres";
  const rendered = new Map<string, string>();
  for (const [name, source] of sharedStatements())
    rendered.set(name, source(isPostgres ? postgresDialect : sqliteDialect));
  const hot = isPostgres
    ? Object.entries({
        ...enqueueStatements,
        ...joinLanesStatements,
        ...finishAndClaimStatements,
        ...advanceStatements,
        replaceOne,
        ...progressStatements,
      }).map(([name, { text }]) => [name, text] as const)
    : Object.entries({ ...enqueueTexts, ...finishAndClaimTexts, ...progressTexts });
  for (const [name, text] of hot) rendered.set(`hot-${name.toLowerCase()}`, text);
  return new Map([...rendered].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files of `packages/store/queries`: one per subject; a statement that both databases share appears once. */
export function renderedFiles(): Map<string, string> {
  const sqlite = renderedQueries("sqlite");
  const postgres = renderedQueries("postgres");
  const files = new Map<string, string>();
  for (const name of [...new Set([...sqlite.keys(), ...postgres.keys()])].sort()) {
    const file = `${subjectOf(name)}.sql`;
    const shown = (heading: string, text: string) => `-- ${heading}\n${text.trim()};\n`;
    const [one, other] = [sqlite.get(name), postgres.get(name)];
    const parts =
      one !== undefined && one === other
        ? [shown(name, one)]
        : [
            ...(one === undefined ? [] : [shown(`${name} (SQLite)`, one)]),
            ...(other === undefined ? [] : [shown(`${name} (PostgreSQL)`, other)]),
          ];
    files.set(file, [...(files.has(file) ? [files.get(file) as string] : []), ...parts].join("\n"));
  }
  return files;
}

/**
 * The subject of a statement: the first word of its name, in the singular (`jobs-by-pos` and `job-insert` are about
 * jobs).
 */
function subjectOf(name: string): string {
  const [word = name] = name.split("-");
  return word.replace(/ies$/, "y").replace(/s$/, "");
}

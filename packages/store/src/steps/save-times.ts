import type { TimesRow } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

const add = shared(
  "tallies-add-times",
  (d) => `insert into andon_tallies (queue, at, waits, runs)
select r.queue, r.at, r.waits, r.runs from ${d.records("rows", { queue: "text", at: "bigint", waits: "text", runs: "text" })} order by r.n`,
);

/** Times are saved like counts: as rows that the next merge adds to the history. */
export async function saveTimes(at: StepContext, rows: readonly TimesRow[]): Promise<void> {
  const numbered = rows.map((row, n) => ({ n, ...row }));
  await at.session.run(add(at.dialect), { rows: JSON.stringify(numbered) });
}

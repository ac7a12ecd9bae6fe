import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Arguments } from "./arguments.ts";
import { bestOf, comparison, type VariantResult } from "./comparison.ts";
import type { Machine } from "./machine.ts";
import { figureOf, partsOf, type Scenario, type Target } from "./scenario.ts";

export interface Versions {
  [name: string]: string;
}

export interface TargetResult {
  store: Target["store"];
  text: string;
  /** `null`: something it needs was not measured. */
  reached: boolean | null;
}

export function judge(scenario: Scenario, variantResults: VariantResult[]): TargetResult[] {
  const others = comparison(scenario, variantResults);
  return scenario.targets.map((target) => ({
    store: target.store,
    text: target.text,
    reached: target.reached((figure) => others.of(`andon-${target.store}`, figure), others) ?? null,
  }));
}

export function printMachine(machine: Machine, versions: Versions): void {
  console.log(
    `machine   ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, Linux ${machine.kernel}`,
  );
  console.log(`disk      ${machine.fdatasyncPerSecond} fdatasync/s`);
  console.log(
    `versions  ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}`,
  );
  if (machine.warning) console.log(`WARNING   ${machine.warning}`);
}

export function printTable(
  scenario: Scenario,
  variantResults: VariantResult[],
  cited: Map<string, string>,
): void {
  const { figure, unit } = scenario.main;
  const ours =
    bestOf(scenario, variantResults, "andon-postgres") ?? bestOf(scenario, variantResults, "andon-sqlite");
  // SQLite's two durability settings differ a lot, so a variant is compared with the limit of the same name if there is one.
  const limitFor = (one: VariantResult) => {
    const limits = variantResults.filter((other) => other.contender === `limit-${one.store}`);
    const same = limits.find((other) => other.variant === one.variant);
    return (same ?? bestOf(scenario, variantResults, `limit-${one.store}`))?.figures[figure];
  };
  const ratio = (value: number | undefined, to: number | undefined) =>
    value === undefined || !to ? "" : `${(value / to).toFixed(2)} ×`;

  const heads = [
    "contender",
    "setting",
    unit,
    "range",
    ...(scenario.also ?? []).map((one) => one.unit),
    "of limit",
    "of ours",
    "",
  ];
  const rows = variantResults.map((one) => {
    const value = one.figures[figure];
    const isBest = bestOf(scenario, variantResults, one.contender) === one;
    return [
      `${isBest ? "*" : " "} ${one.contender}`,
      one.variant,
      show(value),
      one.rounds.length > 1 ? `${show(one.lowest)} to ${show(one.highest)}` : "",
      ...(scenario.also ?? []).map((column) => show(one.figures[column.figure])),
      one.role === "limit" ? "" : ratio(value, limitFor(one)),
      ratio(value, ours?.figures[figure]),
      one.problems.length > 0 ? `FAILED: ${one.problems.join("; ")}` : "",
    ];
  });
  console.log(`\n## ${scenario.title} (${scenario.name})\n${scenario.measures}\n`);
  printColumns([heads, ...rows]);
  if (scenario.parts) printParts(scenario.parts, variantResults);
  for (const [name, why] of cited) console.log(`  ${name}: ${why}`);
  for (const target of judge(scenario, variantResults)) {
    const word = target.reached === null ? "not measured" : target.reached ? "REACHED" : "MISSED";
    console.log(`  target ${target.store}: ${target.text} → ${word}`);
  }
}

function printParts(
  { what, columns }: NonNullable<Scenario["parts"]>,
  variantResults: VariantResult[],
): void {
  const rows = variantResults.flatMap((one) =>
    partsOf(one.figures).map((part) => [
      one.contender,
      part,
      ...columns.map(({ figure }) => show(one.figures[figureOf(part, figure)])),
    ]),
  );
  console.log("");
  printColumns([["contender", what, ...columns.map(({ unit }) => unit)], ...rows]);
}

function show(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2);
}

function printColumns(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  for (const row of rows) {
    console.log(
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}`,
    );
  }
}

export function writeResult(
  scenario: Scenario,
  wanted: Pick<Arguments, "quick" | "complete">,
  run: { machine: Machine; versions: Versions; postgres: Record<string, string> | undefined },
  variantResults: VariantResult[],
  cited: Map<string, string>,
): void {
  const folder = fileURLToPath(new URL(wanted.complete ? "./results/" : "./results/trial/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const { name, title, measures, main } = scenario;
  const result = {
    scenario: { name, title, measures, main, size: wanted.quick ? scenario.quick : scenario.full },
    date: new Date().toISOString(),
    ...run,
    targets: judge(scenario, variantResults),
    standings: variantResults,
    cited: Object.fromEntries(cited),
  };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

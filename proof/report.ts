import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import type { Kind } from "@andon/testkit/processes";
import { type Outcome, percentile } from "@andon/testkit/proof";
import type { Fault } from "./fault.ts";

/** The result of one fault on one store, as it is written to `results/`. */
export interface Result {
  readonly fault: string;
  readonly shows: string;
  readonly store: Kind;
  readonly verdict: "ok" | "FAILED";
  readonly rounds: number;
  readonly jobs: number;
  readonly kills: number;
  readonly lost: number;
  readonly outOfOrder: number;
  readonly doubled: number;
  readonly recoveryMs: { readonly p50: number; readonly p99: number; readonly of: number } | null;
  readonly figures: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
  readonly seconds: number;
}

export interface Versions {
  readonly andon: string;
  readonly node: string;
  readonly postgres: string | null;
}

export function resultOf({ name, shows }: Fault, store: Kind, outcome: Outcome, seconds: number): Result {
  const { recoveries, findings, ...numbers } = outcome;
  const [p50, p99] = [percentile(recoveries, 0.5), percentile(recoveries, 0.99)];
  return {
    fault: name,
    shows,
    store,
    verdict: findings.length === 0 ? "ok" : "FAILED",
    ...numbers,
    recoveryMs:
      p50 === undefined || p99 === undefined
        ? null
        : { p50: Math.round(p50), p99: Math.round(p99), of: recoveries.length },
    findings,
    seconds: Math.round(seconds),
  };
}

const FOLDER = new URL("./results/", import.meta.url);

export function writeResult(result: Result, seed: number, versions: Versions): void {
  mkdirSync(FOLDER, { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1e9),
    kernel: release(),
  };
  const text = `${JSON.stringify({ ...result, seed, machine, versions }, null, 2)}\n`;
  writeFileSync(new URL(`${result.fault}.${result.store}.json`, FOLDER), text);
}

const COLUMNS: readonly [string, (result: Result) => string | number][] = [
  ["fault", ({ fault }) => fault],
  ["store", ({ store }) => store],
  ["rounds", ({ rounds }) => rounds],
  ["jobs", ({ jobs }) => jobs],
  ["kills", ({ kills }) => kills],
  ["lost", ({ lost }) => lost],
  ["out of order", ({ outOfOrder }) => outOfOrder],
  ["doubled", ({ doubled }) => doubled],
  ["recovery p50/p99 ms", ({ recoveryMs }) => (recoveryMs ? `${recoveryMs.p50} / ${recoveryMs.p99}` : "-")],
  ["s", ({ seconds }) => seconds],
  ["verdict", ({ verdict }) => verdict],
];

export function printTable(results: readonly Result[]): void {
  const rows = [
    COLUMNS.map(([name]) => name),
    ...results.map((result) => COLUMNS.map(([, of]) => String(of(result)))),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

import { spawnSync } from "node:child_process";
import { type Arguments, HELP, readArguments } from "./arguments.ts";
import { hopeless, type VariantResult, variantResult } from "./comparison.ts";
import type { ContenderKind } from "./contender.ts";
import { loadContender } from "./contenders/index.ts";
import { describeMachine, peerVersion } from "./machine.ts";
import { printMachine, printTable, type Versions, writeResult } from "./report.ts";
import { type RoundResult, runRound } from "./round.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";
import { selfTest } from "./self-test.ts";
import { type PostgresForRounds, startPostgres } from "./servers/postgres.ts";
import { redisVersion } from "./servers/redis.ts";

/**
 * Checks for Redis, which must be installed on the system. Installs it if this runs as root on Debian; otherwise prints which
 * package is missing.
 */
function haveRedis(): boolean {
  if (redisVersion()) return true;
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0) {
    console.log("bench: installing redis-server");
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"], { stdio: "ignore" });
  }
  if (redisVersion()) return true;
  console.log(
    "bench: redis-server is missing (Debian package redis-server); contenders on Redis are left out",
  );
  return false;
}

async function chosenKinds(wanted: Arguments): Promise<ContenderKind[]> {
  const kinds: ContenderKind[] = [];
  for (const name of wanted.contenders) {
    const kind = await loadContender(name);
    if (kind === undefined) console.log(`bench: ${name} has no adapter yet and is left out`);
    else if (wanted.stores.includes(kind.store)) kinds.push(kind);
  }
  return kinds.some((kind) => kind.store === "redis") && !haveRedis()
    ? kinds.filter((kind) => kind.store !== "redis")
    : kinds;
}

/** Each round runs every contender once, so that a slow minute of the machine affects all of them. */
async function measure(
  scenario: Scenario,
  kinds: ContenderKind[],
  wanted: Arguments,
  postgres: PostgresForRounds | undefined,
  interrupt: AbortSignal,
): Promise<VariantResult[]> {
  const entries = kinds.flatMap((kind) =>
    scenario.cited?.(kind) ? [] : [{ kind, results: new Map<string, RoundResult[]>() }],
  );
  const rounds = wanted.rounds ?? (wanted.quick ? scenario.rounds.quick : scenario.rounds.full);
  for (let round = 1; round <= rounds; round++) {
    for (const { kind, results } of entries) {
      for (const variant of kind.variants(scenario.mode)) {
        if (hopeless(scenario, results, variant)) continue;
        process.stderr.write(`${scenario.name}: round ${round} of ${rounds}, ${kind.name} (${variant})\n`);
        const result = await runRound(scenario, kind, variant, wanted.quick, postgres, interrupt);
        if (interrupt.aborted) throw new Error("interrupted");
        results.set(variant, [...(results.get(variant) ?? []), result]);
      }
    }
  }
  return entries.flatMap(({ kind, results }) =>
    [...results].map(([variant, list]) => variantResult(kind, variant, scenario, list)),
  );
}

function whyNotRun(scenario: Scenario, kinds: ContenderKind[]): Map<string, string> {
  const cited = new Map<string, string>();
  // Libraries have no server, so a list of contenders without one would say nothing.
  if (scenario.mode === "server") return cited;
  for (const kind of kinds) {
    const why =
      scenario.cited?.(kind) ?? (kind.variants(scenario.mode).length === 0 ? "cannot do this" : undefined);
    if (why !== undefined && kind.role === "peer") cited.set(kind.name, why);
  }
  return cited;
}

async function main(wanted: Arguments): Promise<void> {
  const kinds = await chosenKinds(wanted);
  const postgres = kinds.some((kind) => kind.store === "postgres") ? await startPostgres() : undefined;
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  try {
    const machine = describeMachine();
    const versions: Versions = { node: process.version, sqlite: process.versions.sqlite ?? "" };
    if (postgres) versions.postgresql = postgres.settings.server_version ?? "";
    if (kinds.some((kind) => kind.store === "redis")) versions.redis = redisVersion() ?? "";
    for (const kind of kinds) if (kind.package) versions[kind.package] = peerVersion(kind.package);
    printMachine(machine, versions);

    for (const scenario of SCENARIOS.filter((one) => wanted.scenarios.includes(one.name))) {
      const variantResults = await measure(scenario, kinds, wanted, postgres, interrupt.signal);
      const cited = whyNotRun(scenario, kinds);
      printTable(scenario, variantResults, cited);
      writeResult(
        scenario,
        wanted,
        { machine, versions, postgres: postgres?.settings },
        variantResults,
        cited,
      );
    }
  } finally {
    await postgres?.stop();
  }
}

try {
  const wanted = readArguments(process.argv.slice(2));
  if (wanted === "help") console.log(HELP);
  else if (wanted.selfTest) process.exitCode = (await selfTest()) ? 0 : 1;
  else await main(wanted);
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

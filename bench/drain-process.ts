import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Mode, Place } from "./contender.ts";
import { cpuSeconds } from "./cpu-time.ts";

/**
 * A drain in its own process, with the history by the minute or without it. Run directly, this file is that process;
 * imported, it starts one.
 */
export interface DrainOrder {
  readonly contender: string;
  readonly variant: string;
  readonly mode: Mode;
  readonly place: Place;
  readonly jobs: number;
  readonly hasHistory: boolean;
}

export interface DrainAnswer {
  readonly rate: number;
  /** CPU time of the drain, including the database server; undefined if the system does not report it. */
  readonly cpuSeconds: number | undefined;
  readonly problems: string[];
  readonly settings: Record<string, string | number | boolean>;
  /** Jobs that the history counts as done. Without the history, only those since the last merge of the counts. */
  readonly counted: number;
}

const HERE = fileURLToPath(import.meta.url);

export function drainApart(order: DrainOrder): Promise<DrainAnswer> {
  return new Promise((resolve, reject) => {
    const child = fork(HERE, [JSON.stringify(order)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.once("message", (answer: DrainAnswer) => resolve(answer));
    child.once("exit", () => reject(new Error("the process of a drain ended without an answer")));
  });
}

async function run({
  contender: name,
  place,
  jobs: count,
  hasHistory,
  ...how
}: DrainOrder): Promise<DrainAnswer> {
  const assertLeftOut = hasHistory ? undefined : (await import("./without-history.ts")).assertLeftOut;
  const { loadContender } = await import("./contenders/index.ts");
  const { drain, jobs, warmUp } = await import("./scenarios/draining.ts");
  const contender = await (await loadContender(name))?.open(place, how);
  if (!contender) throw new Error(`no contender ${name}`);
  await warmUp(contender);
  await contender.addBulk(jobs(count));
  const before = await cpuSeconds(place.postgresUrl);
  const { ledger, seconds } = await drain(contender, count, false);
  const after = await cpuSeconds(place.postgresUrl);
  assertLeftOut?.();
  const counted = await contender.countedByHistory?.();
  await contender.close();
  const { settings } = contender;
  return {
    rate: count / seconds,
    cpuSeconds: before === undefined || after === undefined ? undefined : after - before,
    problems: ledger.countProblems(),
    settings,
    counted: counted ?? 0,
  };
}

if (process.argv[1] === HERE) {
  // Ends with the process that started it, however that one ends.
  process.once("disconnect", () => process.exit());
  const answer = await run(JSON.parse(process.argv[2] ?? "{}"));
  process.send?.(answer, () => process.exit());
}

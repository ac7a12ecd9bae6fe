import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sharedNow } from "./clock.ts";
import type { Contender, Mode, Place } from "./contender.ts";
import { loadContender } from "./contenders/index.ts";
import { startTrial, type Trial, type TrialLog, type TrialOrder } from "./scenarios/stop-trial.ts";

/**
 * Another process on the same store: a job added elsewhere (`add`), a worker that dies while its handlers run (`hang`), or a
 * second worker of a queue that must stop (`trial`). Run directly, this file is that process; imported, it starts one.
 */
export interface Order {
  contender: string;
  variant: string;
  mode: Mode;
  place: Place;
  role: "add" | "hang" | "trial";
  concurrency?: number;
}

type Request = { add: number } | { trial: TrialOrder } | { halt: true };

export type Message =
  | { ready: true }
  /** `at`: on the shared clock, just before the call. */
  | { added: number; at: number }
  | { started: number }
  | { trialStarted: true }
  | { finallyFailed: true }
  | { log: TrialLog };

export interface SecondProcess {
  onMessage(listener: (message: Message) => void): void;
  request(request: Request): void;
  /** Kills it, as in a crash. */
  kill(): Promise<void>;
}

const HERE = fileURLToPath(import.meta.url);

export async function startSecondProcess(order: Order): Promise<SecondProcess> {
  const child: ChildProcess = fork(HERE, [JSON.stringify(order)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const listeners: ((message: Message) => void)[] = [];
  /** Messages that arrive before the process is ready. Handlers may start earlier than that, and no message may be lost. */
  const beforeReady: Message[] = [];
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.on("message", (message: Message) => {
    for (const listener of listeners) listener(message);
  });
  await new Promise<void>((resolve, reject) => {
    listeners.push((message) => {
      if ("ready" in message) resolve();
      else if (listeners.length === 1) beforeReady.push(message);
    });
    void exited.then(() => reject(new Error("the second process ended before it was ready")));
  });
  return {
    onMessage(listener) {
      for (const message of beforeReady.splice(0)) listener(message);
      listeners.push(listener);
    },
    request: (request) => void child.send(request),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

const say = (message: Message) => void process.send?.(message);

async function obey(order: Order): Promise<void> {
  // Ends with the process that started it, however that one ends.
  process.once("disconnect", () => process.exit());
  const kind = await loadContender(order.contender);
  if (kind === undefined) throw new Error(`no contender ${order.contender}`);
  const { mode, variant, place } = order;
  if (order.role === "trial") {
    obeyTrials((trial) =>
      kind.open({ ...place, queue: trial.queue }, { mode, variant, maxAttempts: trial.maxAttempts }),
    );
  } else if (order.role === "hang") {
    await hang(await kind.open(place, { mode, variant }), order.concurrency);
  } else {
    const contender = await kind.open(place, { mode, variant });
    process.on("message", async (request: { add: number }) => {
      const at = sharedNow();
      await contender.addOne({ n: request.add });
      say({ added: request.add, at });
    });
  }
  say({ ready: true });
}

async function hang(contender: Contender, concurrency: number | undefined): Promise<void> {
  await contender.work(concurrency === undefined ? {} : { concurrency }, (job) => {
    say({ started: job.n });
    return new Promise<void>(() => {});
  });
}

function obeyTrials(open: (trial: TrialOrder) => Promise<Contender>): void {
  let contender: Contender | undefined;
  let trial: Trial | undefined;
  process.on("message", async (request: { trial: TrialOrder } | { halt: true }) => {
    if ("trial" in request) {
      contender = await open(request.trial);
      trial = await startTrial(contender, request.trial, () => say({ finallyFailed: true }));
      say({ trialStarted: true });
    } else if (trial && contender) {
      const log = await trial.stop();
      await contender.close();
      say({ log });
    }
  });
}

if (process.argv[1] === HERE) await obey(JSON.parse(process.argv[2] ?? "{}"));

/**
 * One process of a fleet: opens the given store, and runs requests line by line (see `Request`). SIGTERM closes it like
 * a service; it ends by itself when its input ends.
 */
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { QueueRulesInput } from "@andon/contract";
import { Andon, type JobOptions, type Queue, type WorkerHandle } from "@andon/engine";
import { openStore } from "@andon/store";
import { type Errand, errandHandlers } from "./errand.ts";
import { Ledger } from "./ledger.ts";
import { type Overlap, overlappingAdds } from "./overlapping-adds.ts";
import { stepClock } from "./step-clock.ts";
import { walkHandler } from "./walk-handler.ts";

export interface NumberedJob {
  payload: Errand;
  options?: JobOptions;
}

type QueueCall =
  | "stop"
  | "resume"
  | "retry"
  | "retryAll"
  | "skip"
  | "skipAllAndResume"
  | "skipWithRest"
  | "cancel"
  | "abort"
  | "resumeJob"
  | "throttle"
  | "runNow"
  | "hold"
  | "release"
  | "cancelRest"
  | "purge";
type SchedulesCall = "put" | "activate" | "deactivate" | "remove";

export type Request =
  | { do: "work"; queue: string; rules?: QueueRulesInput; places?: number; grace?: number; quick?: boolean }
  /** Works bulk jobs over the numbers up to `size`; each is a row of `andon_test_items`. */
  | { do: "walk"; queue: string; rules?: QueueRulesInput; size: number; chunkSize: number }
  | { do: "leave"; queue: string }
  /** Adds jobs together, or with `apart` in one add each. */
  | {
      do: "add";
      queue: string;
      rules?: QueueRulesInput;
      jobs: NumberedJob[];
      apart?: boolean;
    }
  /** One after the other; each acknowledged add is noted in the ledger. */
  | { do: "add-in-turn"; queue: string; rules?: QueueRulesInput; jobs: NumberedJob[] }
  /** Adds a job together with a row of the caller's own. */
  | { do: "add-with-row"; queue: string; job: NumberedJob }
  /** An operator's call of the queue, or of the schedules. */
  | { do: "call"; queue: string; rules?: QueueRulesInput; verb: QueueCall; args: unknown[] }
  | { do: "schedules"; verb: SchedulesCall; args: unknown[] }
  /** Steps this process's wall clock. */
  | { do: "step-clock"; ms: number }
  | { do: "memory" }
  | { do: "arrive"; event: string }
  /** Several at once, in about this order. */
  | { do: "arrive-all"; events: string[] }
  | ({ do: "overlap" } & Overlap)
  /** Adds a job in a transaction that does not end. */
  | { do: "linger"; queue: string; key: string };

const [url = "", ledgerPath = ""] = process.argv.slice(2);
const ledger = new Ledger(ledgerPath);
const andon = new Andon(await openStore(url), {
  onError: (error) => console.error("told:", (error as Error).message),
});
const queues = new Map<string, Queue<Errand>>();
const handles = new Map<string, WorkerHandle>();

function queueOf(name: string, rules?: QueueRulesInput): Queue<Errand> {
  const queue = queues.get(name) ?? andon.queue<Errand>(name, rules);
  queues.set(name, queue);
  return queue;
}

async function answer(request: Request): Promise<unknown> {
  if (request.do === "step-clock") return stepClock(request.ms);
  if (request.do === "memory") {
    collectGarbage();
    return process.memoryUsage();
  }
  if (request.do === "arrive") return andon.arrive(request.event);
  if (request.do === "arrive-all") return arriveAll(request.events);
  if (request.do === "schedules") return callOf(andon.schedules, request.verb)(...request.args);
  const queue = queueOf(request.queue, "rules" in request ? request.rules : undefined);
  if (request.do === "call") return callOf(queue, request.verb)(...request.args);
  if (request.do === "work") {
    const { places = 8, grace = 30_000, quick = false } = request;
    const handle = await queue.work(errandHandlers(ledger, request.queue, quick, request.rules), {
      places,
      grace,
    });
    handles.set(request.queue, handle);
    return null;
  }
  if (request.do === "walk") {
    const { size, chunkSize } = request;
    handles.set(request.queue, await queue.work(walkHandler(size, chunkSize), { places: 2 }));
    return null;
  }
  if (request.do === "leave") return handles.get(request.queue)?.close();
  if (request.do === "overlap") return overlappingAdds(andon, queue, url, request);
  if (request.do === "linger") {
    const lingering = andon.transaction(async (tx) => {
      await queue.add({ n: 0 }, { key: request.key, tx });
      ledger.note({ what: "step", queue: request.queue });
      await new Promise(() => {});
    });
    // It is refused in the end, one way or another.
    lingering.catch(() => {});
    return null;
  }
  if (request.do === "add-in-turn") {
    for (const { payload, options } of request.jobs) {
      const { id } = await queue.add(payload, options);
      ledger.note({ what: "added", queue: request.queue, job: id, n: payload.n });
    }
    return null;
  }
  if (request.do === "add-with-row") {
    const { payload, options } = request.job;
    return andon.transaction(async (tx) => {
      const { id } = await queue.add(payload, { ...options, tx });
      await tx.query("insert into andon_test_effects (job_id, pid) values ($1, $2)", [id, process.pid]);
    });
  }
  const { jobs, apart } = request;
  if (apart) return Promise.all(jobs.map(({ payload, options }) => queue.add(payload, options)));
  return queue.addMany(
    jobs.map((job) => job.payload),
    (_, index) => jobs[index]?.options ?? {},
  );
}

const ARRIVALS_AT_ONCE = 4;

async function arriveAll(events: string[]): Promise<void> {
  const tell = async () => {
    for (let event = events.shift(); event !== undefined; event = events.shift()) await andon.arrive(event);
  };
  await Promise.all(Array.from({ length: ARRIVALS_AT_ONCE }, tell));
}

/** Collects garbage, so that the memory reported is the memory in use. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** The arguments come as text from another process, which is responsible for their types. */
function callOf(target: object, verb: string): (...args: unknown[]) => Promise<unknown> {
  const method = (target as Record<string, (...args: unknown[]) => Promise<unknown>>)[verb];
  if (!method) throw new Error(`no such call: ${verb}`);
  return method.bind(target);
}

const requests = createInterface({ input: process.stdin });
requests.on("line", async (line) => {
  try {
    console.log(`done ${JSON.stringify((await answer(JSON.parse(line))) ?? null)}`);
  } catch (error) {
    const away = andon.store.isUnavailable(error) ? "for now: " : "";
    const { code, stack } = error as Error & { code?: string };
    console.log(`failed ${away}${code ?? ""} ${stack?.replaceAll("\n", " ")}`);
  }
});
// No requests can come any more: the test has ended, perhaps with a failure.
requests.once("close", () => void andon.close());
process.once("SIGTERM", () => requests.close());
console.log("ready");

import { type Andon, open, type Queue, type QueueRulesInput } from "andon";
import type { BenchJob, Contender, ContenderKind, Mode, OpenOptions } from "../contender.ts";
import { holdLanes } from "../hold-lanes.ts";
import { storeUrl } from "../store-url.ts";

/** The settings of a variant that differ from the defaults. */
interface Settings {
  readonly places: number;
  readonly bulk: number;
  readonly synchronous?: "full" | "normal";
}

/** Bulk adds in flight at a time, so that the next is prepared while the last is stored. Keyed adds still run in order. */
const MOST_UNDER_WAY = 2;

type Variants = Partial<Record<Mode, Record<string, Settings>>>;

/** Andon on one store. Both stores share the adapter and differ in URL and settings. */
export function andonOn(store: "postgres" | "sqlite", variants: Variants): ContenderKind {
  return {
    name: `andon-${store}`,
    role: "ours",
    store,
    variants: (mode) => Object.keys(variants[mode] ?? {}),
    async open(place, options) {
      const settings = variants[options.mode]?.[options.variant] ?? { places: 8, bulk: 1_000 };
      const { synchronous } = settings;
      const andon = await open(storeUrl(store, place), synchronous ? { synchronous } : {});
      const queue = andon.queue<BenchJob>(place.queue, rules(options));
      return contender(andon, queue, settings);
    },
  };
}

/** Each stage has a limit, as stages usually have, so that the claim must count the running jobs of each stage. */
const STAGES = ["one", "two", "three", "four", "five"];

function rules({ mode, variant, maxAttempts }: OpenOptions): QueueRulesInput {
  if (mode === "serial") return { mode: "serial" };
  if (mode === "staged") return { stages: STAGES.map((name) => ({ name, concurrency: 500 })) };
  if (mode !== "stop") return {};
  const backoff = { type: "fixed", delay: 5 } as const;
  // Jobs without keys have no order, so only a serial queue can guarantee that no job overtakes a retry.
  return {
    mode: variant === "serial" ? "serial" : "lanes",
    attempts: maxAttempts,
    backoff,
    onFinalFailure: "stop-queue",
  };
}

function contender(andon: Andon, queue: Queue<BenchJob>, settings: Settings): Contender {
  return {
    settings: { ...settings },
    async addBulk(jobs) {
      const underWay: Promise<unknown>[] = [];
      for (let from = 0; from < jobs.length; from += settings.bulk) {
        const chunk = jobs.slice(from, from + settings.bulk);
        const keyed = chunk[0]?.key !== undefined;
        if (underWay.length === MOST_UNDER_WAY) await underWay.shift();
        underWay.push(queue.addMany(chunk, keyed ? ({ key }) => ({ key }) : undefined));
      }
      await Promise.all(underWay);
    },
    async addOne(job) {
      await queue.add(job, job.key === undefined ? undefined : { key: job.key });
    },
    async work(options, handler) {
      if (options.onClaim) timeClaims(andon, options.onClaim);
      const { onFinalFailure } = options;
      if (onFinalFailure) void tellStop(andon, queue.name, onFinalFailure);
      const worker = await queue.work(({ payload }) => handler(payload), {
        places: options.concurrency ?? settings.places,
      });
      return { stop: () => worker.close() };
    },
    async unfinished() {
      const { counts } = await queue.status();
      return counts.scheduled + counts.blocked + counts.ready + counts.running;
    },
    plain: () => contender(andon, andon.queue<BenchJob>(`${queue.name}-plain`), settings),
    holdKeys: (keys) => holdLanes(andon, queue.name, keys),
    async claimsAfterStop() {
      const [stop] = (await queue.stops()).items;
      if (!stop) throw new Error("the queue never stopped");
      return (await andon.verifyStop(stop.id)).violations.length;
    },
    async countedByHistory() {
      const { points } = await queue.history();
      return points.reduce((sum, { done }) => sum + done, 0);
    },
    close: () => andon.close(),
  };
}

function timeClaims(andon: Andon, onClaim: (milliseconds: number) => void): void {
  const finishAndClaim = andon.store.finishAndClaim.bind(andon.store);
  andon.store.finishAndClaim = async (request) => {
    const started = performance.now();
    const result = await finishAndClaim(request);
    if (request.want > 0) onClaim(performance.now() - started);
    return result;
  };
}

async function tellStop(andon: Andon, queue: string, onFinalFailure: () => void): Promise<void> {
  for await (const event of andon.watch({ queue })) {
    if (event.type !== "queue.stopped") continue;
    onFinalFailure();
    return;
  }
}

import type { App, AppSite } from "@andon/app";
import { JOB_STATES, type JobCounts, type JobState } from "@andon/contract";
import type { Andon, QueueOverview } from "@andon/engine";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { FailedTotals } from "./failed-totals.ts";
import { metricsOfApps } from "./metrics-of-apps.ts";
import { timesText } from "./times-of-jobs.ts";

export interface Metrics {
  readonly contentType: string;
  /** The current metrics, in the text format of Prometheus. */
  text(): Promise<string>;
  /** `route` is the route's pattern, never the path: each id in a path would make a series. Streams have no duration. */
  countRequest(route: string, method: string, status: number, seconds: number | undefined): void;
}

/** States counted as current numbers; done jobs are counted as a total. */
const CURRENT: readonly JobState[] = JOB_STATES.filter((state) => state !== "done");
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of a process. Metrics of queues are read from the store at the scrape. The store keeps counts, so that a scrape
 * costs a few small reads per queue for any number of jobs.
 */
export function openMetrics(
  site: { readonly andon: Andon; readonly apps: readonly App[] },
  forApps: AppSite,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const labelNames = ["queue"];
  const gauge = (name: string, help: string, labels = labelNames) =>
    new Gauge({ name, help, labelNames: labels, registers });
  const jobs = gauge("andon_jobs", "Jobs by queue and state.", ["queue", "state"]);
  const stopped = gauge("andon_queue_stopped", "1 while the queue is stopped.");
  const degraded = gauge("andon_queue_degraded", "1 while only the probe of the queue runs.");
  const held = gauge("andon_lanes_held", "Lanes that are held.");
  const oldest = gauge(
    "andon_oldest_waiting_seconds",
    "How long the first in line has waited; 0 without one.",
  );
  const workers = gauge("andon_workers", "Worker processes that beat.", []);
  const counter = (name: string, help: string, labels = labelNames) =>
    new Counter({ name, help, labelNames: labels, registers });
  const done = counter("andon_jobs_done_total", "Jobs done since the beginning.");
  const failed = counter("andon_jobs_failed_total", "Final failures since this process started.");
  const added = counter("andon_jobs_added_total", "Jobs added since the beginning.");
  const attemptsFailed = counter("andon_attempts_failed_total", "Attempts that failed, since the beginning.");
  const requests = counter("andon_http_requests_total", "Requests answered.", ["route", "method", "status"]);
  const seconds = new Histogram({
    name: "andon_http_request_duration_seconds",
    help: "How long requests took.",
    labelNames: ["route", "method"],
    buckets: SECONDS,
    registers,
  });
  const failedTotals = new FailedTotals(site.andon.store);

  let times = "";
  async function collect(): Promise<void> {
    const { read, clock } = site.andon.store;
    const rows = await read.queues();
    const now = clock.now();
    const names = rows.map(({ name }) => name);
    const [counted, overviews] = await Promise.all([read.countsOf(names), read.overviews(names, now)]);
    const totals = await read.historyTotals(names);
    times = timesText(totals);
    const beating = await read.workers();
    const failures = await failedTotals.read();
    for (const metric of [jobs, stopped, degraded, held, oldest, done, failed, added, attemptsFailed])
      metric.reset();
    for (const row of rows) {
      const queue = row.name;
      const counts = counted.get(queue) as JobCounts;
      const overview = overviews.get(queue) as QueueOverview;
      for (const state of CURRENT) jobs.set({ queue, state }, counts[state]);
      stopped.set({ queue }, row.state === "stopped" ? 1 : 0);
      degraded.set({ queue }, row.state === "degraded" ? 1 : 0);
      held.set({ queue }, overview.heldLanes);
      const waited = overview.oldestWaitingAt === null ? 0 : now - overview.oldestWaitingAt;
      oldest.set({ queue }, Math.max(0, waited) / 1_000);
      done.inc({ queue }, counts.done);
      failed.inc({ queue }, failures.get(queue) ?? 0);
      added.inc({ queue }, totals.get(queue)?.added ?? 0);
      attemptsFailed.inc({ queue }, totals.get(queue)?.attemptsFailed ?? 0);
    }
    workers.set(beating.length);
  }

  let collecting: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    text() {
      // Two concurrent scrapes would reset each other's values.
      collecting ??= collect()
        .then(async () =>
          [await registry.metrics(), times, ...(await metricsOfApps(site.apps, forApps))].join("\n"),
        )
        .finally(() => {
          collecting = undefined;
        });
      return collecting;
    },
    countRequest(route, method, status, took) {
      requests.inc({ route, method, status: String(status) });
      if (took !== undefined) seconds.observe({ route, method }, took);
    },
  };
}

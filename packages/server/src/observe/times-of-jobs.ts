import { countsUpTo, type HistoryTotal, histogramIn } from "@andon/engine";

/** Four limits per power of ten, from a millisecond to a day. Each is a bucket limit of the stored histograms, so counts are exact. */
const REACHES_MS = Array.from({ length: 4 * 8 }, (_, n) => 10 ** (n / 4));

const METRICS = [
  ["andon_job_wait_seconds", "waits", "From a job's time to its first start."],
  ["andon_job_run_seconds", "runs", "How long attempts took."],
] as const;

/** Histograms over all processes and all time, from the store's history, in the text format of Prometheus. */
export function timesText(totals: ReadonlyMap<string, HistoryTotal>): string {
  const lines = METRICS.flatMap(([name, member, help]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...[...totals].flatMap(([queue, total]) => seriesOf(name, queue, total[member])),
  ]);
  return `${lines.join("\n")}\n`;
}

function seriesOf(name: string, queue: string, text: string | null): string[] {
  if (text === null) return [];
  const histogram = histogramIn(text);
  const counts = countsUpTo(histogram, REACHES_MS);
  const label = `queue="${queue}"`;
  return [
    ...counts.map(
      (count, n) => `${name}_bucket{${label},le="${secondsOf(REACHES_MS[n] as number)}"} ${count}`,
    ),
    `${name}_bucket{${label},le="+Inf"} ${histogram.count}`,
    `${name}_sum{${label}} ${histogram.sum / 1_000}`,
    `${name}_count{${label}} ${histogram.count}`,
  ];
}

function secondsOf(ms: number): number {
  return Number((ms / 1_000).toPrecision(4));
}

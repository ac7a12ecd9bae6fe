/*
 * Times by log-spaced buckets, 16 to a decade: a bucket reaches 15.5 % further than the one before it, so that its middle is
 * within 7.2 % of every time in it. Histograms of many processes and minutes are merged by adding.
 */
const PER_DECADE = 16;
/** In milliseconds: what is shorter counts as nothing. */
const SHORTEST_MS = 0.01;
/** 115 days. */
const LAST_BUCKET = 12 * PER_DECADE + 1;
const PER_NATURAL_LOG = PER_DECADE / Math.LN10;
const GROWTH = 10 ** (1 / PER_DECADE);
const MIDDLE = 2 / (1 + GROWTH);

export interface Histogram {
  count: number;
  /** Of all times, in milliseconds. */
  sum: number;
  /** How many times each bucket holds, by its number. */
  readonly buckets: Map<number, number>;
}

export function emptyHistogram(): Histogram {
  return { count: 0, sum: 0, buckets: new Map() };
}

/** Where a worker records the times of its jobs, twice per job: an array of all buckets takes half the time of a map (0.2 of 0.45 µs). */
export class Recorder {
  readonly #counts = new Uint32Array(LAST_BUCKET + 1);
  #sum = 0;

  record(ms: number): void {
    const time = Math.max(0, ms);
    const bucket = bucketOf(time);
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += time;
  }

  /** As the store keeps it; null where nothing was recorded. */
  text(): string | null {
    const histogram = emptyHistogram();
    histogram.sum = this.#sum;
    for (const [bucket, count] of this.#counts.entries()) {
      if (count === 0) continue;
      histogram.buckets.set(bucket, count);
      histogram.count += count;
    }
    return histogramText(histogram);
  }
}

function bucketOf(ms: number): number {
  if (ms <= SHORTEST_MS) return 0;
  return Math.min(LAST_BUCKET, Math.ceil(Math.log(ms / SHORTEST_MS) * PER_NATURAL_LOG - 1e-9));
}

/** The longest time that a bucket holds. */
function reachOf(bucket: number): number {
  return bucket === 0 ? 0 : SHORTEST_MS * 10 ** (bucket / PER_DECADE);
}

function addTo(sum: Histogram, part: Histogram): void {
  sum.count += part.count;
  sum.sum += part.sum;
  for (const [bucket, count] of part.buckets) sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + count);
}

/** The times that these parts of all times are not longer than; null where there are none. */
export function percentiles<const Parts extends readonly number[]>(
  { count, buckets }: Histogram,
  parts: Parts,
): { [Part in keyof Parts]: number | null } {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const timeAt = (part: number) => {
    let left = Math.max(1, Math.ceil(part * count));
    const bucket = sorted.find(([, held]) => {
      left -= held;
      return left <= 0;
    });
    return bucket ? rounded(reachOf(bucket[0]) * MIDDLE) : null;
  };
  return parts.map(timeAt) as { [Part in keyof Parts]: number | null };
}

/** Three digits tell as much as the buckets know. */
function rounded(ms: number): number {
  return Number(ms.toPrecision(3));
}

/** How many times are not longer than each of these, which must be reaches of buckets: powers of 10, and quarters between them. */
export function countsUpTo(histogram: Histogram, reachesMs: readonly number[]): number[] {
  return reachesMs.map((reach) => {
    const last = bucketOf(reach);
    let count = 0;
    for (const [bucket, held] of histogram.buckets) if (bucket <= last) count += held;
    return count;
  });
}

/** As the store keeps it; null where there is nothing. */
function histogramText({ count, sum, buckets }: Histogram): string | null {
  if (count === 0) return null;
  return JSON.stringify({ sum: Number(sum.toFixed(3)), buckets: Object.fromEntries(buckets) });
}

export function histogramIn(text: string | null): Histogram {
  const histogram = emptyHistogram();
  if (text === null) return histogram;
  const { sum, buckets } = JSON.parse(text) as { sum: number; buckets: Record<string, number> };
  histogram.sum = sum;
  for (const [bucket, count] of Object.entries(buckets)) {
    histogram.buckets.set(Number(bucket), count);
    histogram.count += count;
  }
  return histogram;
}

/** Two texts of histograms as one. */
export function mergedText(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  const sum = histogramIn(a);
  addTo(sum, histogramIn(b));
  return histogramText(sum);
}

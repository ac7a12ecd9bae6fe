import { describe, expect, it } from "vitest";
import { countsUpTo, emptyHistogram, histogramIn, mergedText, percentiles, Recorder } from "./histogram.ts";

function textOf(times: readonly number[]): string | null {
  const recorder = new Recorder();
  for (const time of times) recorder.record(time);
  return recorder.text();
}

const histogramOf = (times: readonly number[]) => histogramIn(textOf(times));

describe("histogram", () => {
  it("gives percentiles within 10 %, from fractions of a millisecond to days", () => {
    for (let n = 0; n < 200; n++) {
      const times = Array.from({ length: 1 + n }, (_, i) => 0.02 * 10 ** (((i * 7 + n) % 97) / 10));
      const sorted = [...times].sort((a, b) => a - b);
      const histogram = histogramOf(times);
      const parts = [0.5, 0.95];
      for (const [at, shown] of percentiles(histogram, parts).entries()) {
        const exact = sorted[Math.ceil((parts[at] as number) * times.length) - 1] as number;
        expect(Math.abs((shown as number) - exact) / exact).toBeLessThanOrEqual(0.1);
      }
    }
  });

  it("gives null percentiles without times, and 0 if every time is 0", () => {
    expect(percentiles(emptyHistogram(), [0.5, 0.95])).toEqual([null, null]);
    expect(percentiles(histogramOf([0, 0, 0]), [0.95])).toEqual([0]);
  });

  it("merges with others as if all times had been recorded in one", () => {
    const [a, b] = [
      [1, 20, 300],
      [2, 2, 40_000],
    ] as const;
    const merged = histogramIn(mergedText(textOf(a), textOf(b)));
    const whole = histogramOf([...a, ...b]);
    expect([...merged.buckets].sort()).toEqual([...whole.buckets].sort());
    expect(merged).toMatchObject({ count: 6, sum: 40_325 });
    expect(mergedText(null, null)).toBeNull();
  });

  it("counts the times up to a power of ten exactly", () => {
    const histogram = histogramOf([0, 1, 1.001, 9.9, 10, 10.1, 1_000]);
    expect(countsUpTo(histogram, [1, 10, 100, 1_000])).toEqual([2, 5, 6, 7]);
  });
});

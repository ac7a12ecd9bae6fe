const BARS = "▁▂▃▄▅▆▇█";

/** Numbers as a row of bars: the largest has the highest bar, zero the lowest. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 0);
  const barOf = (value: number) => (most === 0 ? 0 : Math.ceil((value / most) * (BARS.length - 1)));
  return values.map((value) => BARS[barOf(value)]).join("");
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PATTERN = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

/** A number of milliseconds, or a string such as "500ms", "5s", "15m", "1h", "30d". */
export type Duration = number | string;

/** Milliseconds of a duration, or undefined where it is not one. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  if (typeof value !== "string") return undefined;
  const match = PATTERN.exec(value.trim());
  if (!match) return undefined;
  return Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
}

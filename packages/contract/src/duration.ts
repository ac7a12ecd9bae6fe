import * as z from "zod";
import { allows } from "./allows.ts";
import { parseDuration } from "./parse-duration.ts";

const WRITTEN = allows(
  'milliseconds, or a string such as "500ms", "5s", "15m", "1h", "30d"',
  '밀리초, 또는 "500ms", "5s", "15m", "1h", "30d" 같은 문자열',
);

/** Schema of a duration; its output is milliseconds. */
export const duration = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = parseDuration(value);
  if (ms !== undefined) return ms;
  context.addIssue({ code: "custom", message: WRITTEN.error, params: WRITTEN.params });
  return z.NEVER;
});

/** Schema of a duration that must not be shorter than this. */
export function durationFrom(leastMs: number) {
  return duration.refine(
    (ms) => ms >= leastMs,
    allows(`${leastMs}ms or more (a number is milliseconds)`, `${leastMs}ms 이상 (숫자는 밀리초입니다)`),
  );
}

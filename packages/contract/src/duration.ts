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

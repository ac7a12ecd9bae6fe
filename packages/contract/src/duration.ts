import * as z from "zod";
import { parseDuration } from "./parse-duration.ts";

/** Schema of a duration; its output is milliseconds. */
export const duration = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = parseDuration(value);
  if (ms !== undefined) return ms;
  context.addIssue({
    code: "custom",
    message: 'milliseconds, or a string such as "500ms", "5s", "15m", "1h", "30d"',
  });
  return z.NEVER;
});

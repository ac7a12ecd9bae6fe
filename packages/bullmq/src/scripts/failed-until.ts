import type { Script } from "./script.ts";

/** One page of the jobs that failed up to a time, newest first. The offset skips jobs that the caller cannot move. */
export const FAILED_UNTIL: Script = {
  name: "andonFailedUntil",
  keys: 1,
  lua: `return redis.call("ZREVRANGEBYSCORE", KEYS[1], ARGV[1], "-inf", "LIMIT", ARGV[2], ARGV[3])`,
};

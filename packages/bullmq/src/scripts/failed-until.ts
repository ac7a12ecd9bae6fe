import type { Script } from "./script.ts";

/** A step of the jobs that failed up to a time, newest first, after those that the caller has to leave where they are. */
export const FAILED_UNTIL: Script = {
  name: "andonFailedUntil",
  keys: 1,
  lua: `return redis.call("ZREVRANGEBYSCORE", KEYS[1], ARGV[1], "-inf", "LIMIT", ARGV[2], ARGV[3])`,
};

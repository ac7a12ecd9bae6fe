import type { Script } from "./script.ts";

/**
 * Counts and pause of one moment; nothing in it grows with the backlog. Where another tool resumed the queue, what is left of why
 * it stood is removed, or its next pause would show it again.
 */
export const READ_STATUS: Script = {
  name: "andonReadStatus",
  keys: 10,
  lua: `
local meta, stop, wait, paused, prioritized, active, failed, completed, delayed, waitingChildren = unpack(KEYS)
local isPaused = redis.call("HEXISTS", meta, "paused")
if isPaused == 0 then redis.call("DEL", stop) end
return {
  isPaused, redis.call("HGETALL", stop),
  redis.call("LLEN", wait) + redis.call("LLEN", paused) + redis.call("ZCARD", prioritized),
  redis.call("LLEN", active), redis.call("ZCARD", failed), redis.call("ZCARD", completed),
  redis.call("ZCARD", delayed) + redis.call("ZCARD", waitingChildren)
}
`,
};

import type { Script } from "./script.ts";

/**
 * Reads the pause and the counts at one moment; its cost does not grow with the backlog. If another tool resumed the queue, the old
 * stop record is deleted, because the next pause would show it again.
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

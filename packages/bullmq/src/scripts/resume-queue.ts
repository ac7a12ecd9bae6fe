import type { Script } from "./script.ts";

/**
 * Resumes the queue and deletes the stop record in one script: between two commands another failure could stop the queue, and that
 * stop would be undone. Jobs that BullMQ 5 moved to the list `paused` go back to the queue, ahead of jobs added since.
 */
export const RESUME_QUEUE: Script = {
  name: "andonResumeQueue",
  keys: 9,
  lua: `
local meta, marker, events, stop, wait, paused, prioritized, delayed, failed = unpack(KEYS)
local wasPaused = redis.call("HDEL", meta, "paused")
redis.call("DEL", stop)
if wasPaused == 1 then
  while redis.call("LLEN", paused) > 0 do
    local jobs = redis.call("LRANGE", paused, 0, 4999)
    redis.call("RPUSH", wait, unpack(jobs))
    redis.call("LTRIM", paused, #jobs, -1)
  end
  if redis.call("LLEN", wait) + redis.call("ZCARD", prioritized) > 0 then
    redis.call("ZADD", marker, 0, "0")
  else
    local next = redis.call("ZRANGE", delayed, 0, 0, "WITHSCORES")
    if next[2] then redis.call("ZADD", marker, tonumber(next[2]) / 0x1000, "1") end
  end
  redis.call("XADD", events, "*", "event", "resumed")
end
local time = redis.call("TIME")
return {
  wasPaused, time[1] * 1000 + math.floor(time[2] / 1000),
  redis.call("LLEN", wait) + redis.call("LLEN", paused) + redis.call("ZCARD", prioritized),
  redis.call("ZCARD", failed)
}
`,
};

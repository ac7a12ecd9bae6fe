import type { Script } from "./script.ts";

/**
 * Pauses the queue as BullMQ's own script does, and writes the reason. BullMQ reads `paused` in the script that claims a job, so no
 * claim can follow the pause. The id of the `paused` event identifies the stop: any start after the stop would have a later id.
 */
const OPEN_STOP = `
local function openStop(meta, marker, events, stop, fields)
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call("HSET", meta, "paused", 1)
  redis.call("DEL", marker)
  local id = redis.call("XADD", events, "*", "event", "paused")
  redis.call("DEL", stop)
  redis.call("HSET", stop, "stopId", id, "pausedAt", now, unpack(fields))
end
`;

/**
 * The stop by a final failure. It runs before the script that fails the job, in the same transaction. Like that script it has an
 * effect only if this worker holds the job's lock. The first stop wins: a later failure changes nothing.
 */
export const STOP_BY_FAILURE: Script = {
  name: "andonStopByFailure",
  keys: 7,
  lua: `${OPEN_STOP}
local meta, marker, events, stop, active, job, lock = unpack(KEYS)
local token, jobId, failedReason, reason, by = unpack(ARGV)
if redis.call("EXISTS", job) == 0 then return {} end
if token ~= "0" and redis.call("GET", lock) ~= token then return {} end
if redis.call("HEXISTS", meta, "paused") == 1 then return {} end
openStop(meta, marker, events, stop, {
  "pauseReason", reason, "pausedBy", by, "failedJobId", jobId, "failedReason", failedReason,
  "attemptsMade", (tonumber(redis.call("HGET", job, "atm")) or 0) + 1,
  "running", math.max(redis.call("LLEN", active) - 1, 0)
})
return redis.call("HGETALL", stop)
`,
};

/** A pause by hand. A queue that another tool paused has no reason yet, and gets this one. */
export const PAUSE_BY_HAND: Script = {
  name: "andonPauseByHand",
  keys: 5,
  lua: `${OPEN_STOP}
local meta, marker, events, stop, active = unpack(KEYS)
local reason, by = unpack(ARGV)
if redis.call("HEXISTS", meta, "paused") == 1 and redis.call("EXISTS", stop) == 1 then
  return { 0, redis.call("HGETALL", stop) }
end
openStop(meta, marker, events, stop, {
  "pauseReason", reason, "pausedBy", by, "running", redis.call("LLEN", active)
})
return { 1, redis.call("HGETALL", stop) }
`,
};

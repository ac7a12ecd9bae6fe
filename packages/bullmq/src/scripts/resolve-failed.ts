import type { Script } from "./script.ts";

/**
 * Settles failed jobs by hand: each leaves the failed jobs, and a copy of it stays readable with who settled it and why. Whoever
 * takes a job out of the failed ones decides it; a second operator finds it gone. BullMQ's own script then removes what is left of
 * the job, with its place in a flow; until that is done its id stands among the leaving ones.
 */
export const RESOLVE_FAILED: Script = {
  name: "andonResolveFailed",
  keys: 2,
  lua: `
local failed, leaving = unpack(KEYS)
local prefix, records, by, note, keepMs = unpack(ARGV, 1, 5)
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local settled = {}
for i = 6, #ARGV do
  local id = ARGV[i]
  if redis.call("ZREM", failed, id) == 1 then
    local record = records .. id
    redis.call("DEL", record)
    local fields = redis.call("HGETALL", prefix .. id)
    for n = 1, #fields, 2 do redis.call("HSET", record, fields[n], fields[n + 1]) end
    redis.call("HSET", record, "resolvedBy", by, "resolvedAt", now, "resolutionNote", note)
    redis.call("PEXPIRE", record, keepMs)
    redis.call("SADD", leaving, id)
    settled[#settled + 1] = id
  end
end
return { now, settled }
`,
};

/** The last step of a removal, in one transaction with BullMQ's script. */
export const HAVE_LEFT: Script = {
  name: "andonHaveLeft",
  keys: 1,
  lua: `return redis.call("SREM", KEYS[1], unpack(ARGV))`,
};

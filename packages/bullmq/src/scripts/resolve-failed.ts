import type { Script } from "./script.ts";

/**
 * Resolves failed jobs by hand: removes each from the failed set and keeps a copy with who resolved it and why. The removal from the
 * failed set decides between two operators: the second finds the job gone. BullMQ's own script then removes the rest of the job,
 * with its place in a flow; until then the set `leaving` holds its id.
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

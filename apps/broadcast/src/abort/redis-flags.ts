import { setTimeout as wait } from "node:timers/promises";
import type { AbortFlag, FlagWish } from "@andon/engine";
import { Redis } from "ioredis";
import type { AbortFlags, FlaggedWish } from "./abort-flags.ts";

/** Short, because operators wait for it and the store carries the abort as well. */
const LONGEST_COMMAND_MS = 1_000;
const LONGEST_CONNECT_MS = 2_000;
const RECONNECT_AFTER_MS = 250;
/** A flag is renewed this many times within its time to live. */
const RENEWALS = 3;
const SHORTEST_RENEWAL_MS = 300;
const LONGEST_RENEWAL_MS = 60_000;

/**
 * Deletes a flag unless it is later than `ARGV[1]`; times in ISO 8601 compare as text. A value that is not one of our flags
 * is deleted too.
 */
const CLEAR = `local value = redis.call('get', KEYS[1])
if not value then return 0 end
local ok, flag = pcall(cjson.decode, value)
if ok and type(flag) == 'table' and type(flag.requestedAt) == 'string' and flag.requestedAt > ARGV[1] then return 0 end
return redis.call('del', KEYS[1])`;

const keyOf = (jobId: string) => `notification_creation_abort:${jobId}`;

/**
 * Abort flags as Redis keys that expire. No command waits for a connection: it fails if it cannot be sent at once, and the
 * store carries the abort.
 */
export function redisFlags(url: string, ttlMs: number): AbortFlags {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: LONGEST_COMMAND_MS,
    connectTimeout: LONGEST_CONNECT_MS,
    retryStrategy: () => RECONNECT_AFTER_MS,
  });
  // The caller of a command gets its error. Without a listener, an error event would end the process.
  redis.on("error", () => {});
  const flag: AbortFlag = {
    async asked(jobId, { payload }) {
      const wish = wishIn(await redis.get(keyOf(jobId)));
      return wish && isForOrganization(wish, payload) ? flagWishOf(wish) : null;
    },
  };
  return {
    asked: [flag],
    isSeparate: true,
    renewEveryMs: Math.min(LONGEST_RENEWAL_MS, Math.max(SHORTEST_RENEWAL_MS, ttlMs / RENEWALS)),
    async set(jobId, wish) {
      const key = keyOf(jobId);
      const value = JSON.stringify(flagValue(wish));
      try {
        if (await redis.set(key, value, "PX", ttlMs, "NX")) return true;
        const known = wishIn(await redis.get(key));
        // A caller of another tenant must not replace a valid flag.
        if (known && wish.tenantId !== null && known.tenantId !== wish.tenantId) return false;
        // The existing flag may predate a resume and would be ignored, so the new one replaces it. The store keeps the reason
        // of the first.
        await redis.set(key, value, "PX", ttlMs);
        return true;
      } catch {
        return false;
      }
    },
    async renew(jobId, wish) {
      await redis.set(keyOf(jobId), JSON.stringify(flagValue(wish)), "PX", ttlMs).catch(() => {});
    },
    async clear(jobId, upTo) {
      await redis.eval(CLEAR, 1, keyOf(jobId), new Date(upTo).toISOString()).catch(() => {});
    },
    async ping() {
      await redis.ping();
    },
    async connected(withinMs) {
      const deadline = Date.now() + withinMs;
      for (;;) {
        try {
          await redis.ping();
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await wait(50);
        }
      }
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** `organizationId` appears only if the caller has one. Other flags have exactly the four documented members. */
function flagValue({ by, tenantId, organizationId, reason, requestedAt }: FlaggedWish) {
  const own = { by, tenantId, reason, requestedAt: new Date(requestedAt).toISOString() };
  return organizationId === null ? own : { ...own, organizationId };
}

/** Null if there is no flag, or its value is not one of ours. */
function wishIn(text: string | null): FlaggedWish | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const requestedAt = Date.parse(String(value.requestedAt));
    if (typeof value.by !== "string" || Number.isNaN(requestedAt)) return null;
    return {
      by: value.by,
      tenantId: textOrNull(value.tenantId),
      organizationId: textOrNull(value.organizationId),
      reason: textOrNull(value.reason),
      requestedAt,
    };
  } catch {
    return null;
  }
}

const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);

function isForOrganization({ organizationId }: FlaggedWish, payload: unknown): boolean {
  return (
    organizationId === null ||
    (payload as { organizationId?: string | null } | null)?.organizationId === organizationId
  );
}

function flagWishOf({ by, reason, requestedAt, tenantId }: FlaggedWish): FlagWish {
  return { by, reason, requestedAt, noun: "bulk", ...(tenantId === null ? {} : { tenant: tenantId }) };
}

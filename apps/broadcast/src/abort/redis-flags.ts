import { setTimeout as wait } from "node:timers/promises";
import type { AbortFlag, FlagWish } from "@andon/engine";
import { Redis } from "ioredis";
import type { AbortFlags, FlaggedWish } from "./abort-flags.ts";

/** Operators wait for it, and the store carries the abort as well. */
const LONGEST_COMMAND_MS = 1_000;
const LONGEST_CONNECT_MS = 2_000;
const RECONNECT_AFTER_MS = 250;
/** Flags are renewed this many times before they would expire. */
const RENEWALS = 3;
const SHORTEST_RENEWAL_MS = 300;
const LONGEST_RENEWAL_MS = 60_000;

/** Deletes a flag unless it is later than `ARGV[1]`: times in ISO 8601 compare as text. What is no flag of ours goes as well. */
const CLEAR = `local value = redis.call('get', KEYS[1])
if not value then return 0 end
local ok, flag = pcall(cjson.decode, value)
if ok and type(flag) == 'table' and type(flag.requestedAt) == 'string' and flag.requestedAt > ARGV[1] then return 0 end
return redis.call('del', KEYS[1])`;

const keyOf = (jobId: string) => `notification_creation_abort:${jobId}`;

/**
 * Abort flags as keys of Redis that expire. Nothing waits for a connection: a command that cannot be sent now fails, and the store
 * carries the abort.
 */
export function redisFlags(url: string, ttlMs: number): AbortFlags {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: LONGEST_COMMAND_MS,
    connectTimeout: LONGEST_CONNECT_MS,
    retryStrategy: () => RECONNECT_AFTER_MS,
  });
  // Whoever sends a command is told; without a listener the process would end.
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
        // A caller of another tenant must not replace a wish that holds.
        if (known && wish.tenantId !== null && known.tenantId !== wish.tenantId) return false;
        // One that was left from before a resume would be ignored, so the newer one stands; the store keeps the first reason.
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

/** An organisation is named only where the caller has one: other flags have the four members that everybody knows. */
function flagValue({ by, tenantId, organizationId, reason, requestedAt }: FlaggedWish) {
  const own = { by, tenantId, reason, requestedAt: new Date(requestedAt).toISOString() };
  return organizationId === null ? own : { ...own, organizationId };
}

/** Null where there is no flag, or one that nobody of ours wrote. */
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

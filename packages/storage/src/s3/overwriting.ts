import { randomUUID } from "node:crypto";
import { faultCodeOf } from "../driver-error-codes.ts";
import { temporaryName } from "../names.ts";
import type { Capabilities } from "../storage.ts";
import type { Bucket } from "./bucket.ts";

/** Status codes of servers without conditional writes: they do not implement or do not accept the header. */
const NO_CONDITIONS = new Set([400, 501]);

/**
 * Finds out whether a server refuses to overwrite (`If-None-Match: *`). Some servers report that they do not support
 * the condition, others ignore it silently. The only reliable check is to try to overwrite an object of our own.
 */
export async function overwritingOf(bucket: Bucket): Promise<Capabilities["overwriting"]> {
  const key = bucket.keyOf(temporaryName(`probe-${randomUUID()}`));
  try {
    await bucket.putEmpty(key);
    await bucket.putEmpty(key, { IfNoneMatch: "*" });
    return "looked-up";
  } catch (error) {
    if (faultCodeOf(error) === "TARGET_EXISTS") return "refused";
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
    if (NO_CONDITIONS.has(status)) return "looked-up";
    throw error;
  } finally {
    // An object that stays behind is named like an unfinished upload and is harmless.
    await bucket.delete(key).catch(() => {});
  }
}

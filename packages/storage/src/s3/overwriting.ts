import { randomUUID } from "node:crypto";
import { faultCodeOf } from "../driver-error-codes.ts";
import { temporaryName } from "../names.ts";
import type { Capabilities } from "../storage.ts";
import type { Bucket } from "./bucket.ts";

/** Answers of servers that know no conditional writes: not implemented, or a header that they do not take. */
const NO_CONDITIONS = new Set([400, 501]);

/**
 * Finds out whether a server refuses to overwrite (`If-None-Match: *`). Some say that they do not know the condition, but some
 * ignore it without a word, so the only way to know is to try to overwrite something of ours.
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
    // What stays behind is named like an unfinished upload and hurts nobody.
    await bucket.delete(key).catch(() => {});
  }
}

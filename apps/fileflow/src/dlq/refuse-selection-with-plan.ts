import { AndonError } from "@andon/contract";
import type { RedriveWish } from "./redrive-many.ts";

/** A plan already names its letters, so other selections are refused. */
export function refuseSelectionWithPlan({ ids, filter, limit }: RedriveWish): void {
  if (ids === undefined && filter === undefined && limit === undefined) return;
  const message = { en: "not together with planId", ko: "planId와 함께 쓸 수 없습니다" };
  throw new AndonError("VALIDATION_FAILED", {
    problem: message,
    fields: [{ in: "body", field: "planId", message }],
  });
}

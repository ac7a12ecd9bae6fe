import { AndonError, checkedOptions, JOB_STATES, MOST_PLANNED, PLAN_ACTIONS } from "@andon/contract";
import * as z from "zod";
import type { JobFilter } from "../ports/store.ts";
import type { PlanWish } from "../verbs/plan.ts";

const members = {
  state: z.enum(JOB_STATES).optional(),
  key: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  tenant: z.string().min(1).optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  fingerprint: z.string().min(1).optional(),
  text: z.string().min(1).optional(),
};
const jobFilter = z.strictObject({ queue: z.string().min(1).optional(), ...members });
const planWish = z.strictObject({
  action: z.enum(PLAN_ACTIONS),
  filter: z.strictObject(members).optional(),
  ids: z.array(z.string()).min(1).max(MOST_PLANNED).optional(),
});

export function checkedFilter(filter: JobFilter | undefined): JobFilter {
  return checkedOptions("the filter", jobFilter, filter);
}

export function checkedWish(wish: PlanWish): PlanWish {
  const checked = checkedOptions("the plan", planWish, wish);
  if (checked.filter && checked.ids) {
    throw new AndonError("INVALID_OPTION", {
      where: { en: "the plan", ko: "계획" },
      option: "ids",
      given: { en: "both ids and a filter", ko: "ids와 filter 둘 다" },
      allowed: { en: "one of them", ko: "둘 중 하나" },
    });
  }
  return checked;
}

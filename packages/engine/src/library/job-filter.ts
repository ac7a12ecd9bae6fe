import {
  AndonError,
  checkedOptions,
  isStorable,
  JOB_STATES,
  MOST_NAMED,
  PLAN_ACTIONS,
} from "@andon/contract";
import * as z from "zod";
import type { AuditFilter, JobFilter } from "../ports/store.ts";
import type { PlanWish } from "../verbs/plan.ts";

const storable = z.string().refine(isStorable, "text without NUL or half characters");
const text = storable.min(1).optional();

const members = {
  state: z.enum(JOB_STATES).optional(),
  key: text,
  name: text,
  tenant: text,
  organization: text,
  from: z.number().optional(),
  to: z.number().optional(),
  fingerprint: text,
  code: text,
  text,
};
const jobFilter = z.strictObject({ queue: text, ...members });
const planWish = z.strictObject({
  action: z.enum(PLAN_ACTIONS),
  filter: z.strictObject(members).optional(),
  ids: z.array(storable).min(1).max(MOST_NAMED).optional(),
});

const auditFilter = z.strictObject({
  target: text,
  actor: text,
  action: text,
  from: z.int().nonnegative().optional(),
  to: z.int().nonnegative().optional(),
  tenant: text,
  organization: text,
});
const scope = z.strictObject({ tenant: text, organization: text });

export function checkedFilter(filter: JobFilter | undefined): JobFilter {
  return checkedOptions("the filter", jobFilter, filter);
}

export function checkedAuditFilter(filter: AuditFilter | undefined): AuditFilter {
  return checkedOptions("the filter", auditFilter, filter);
}

export function checkedScopeFilter(filter: z.input<typeof scope>): z.output<typeof scope> {
  return checkedOptions("the filter", scope, filter);
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

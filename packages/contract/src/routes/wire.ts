import * as z from "zod";
import { isBlank } from "../blank.ts";
import type { Localized } from "../errors.ts";
import { HELD_ACTIONS, HELD_STATES } from "../held-decisions.ts";
import { isStorable } from "../storable.ts";

/** Pieces that the shapes on the wire share. */

export const time = z.iso.datetime().describe("ISO 8601, UTC.");
export const isTime = (given: string) => time.safeParse(given).success;

/** The message of a check, in both languages: the server shows it in the caller's. */
const says = (en: string, ko: string): { params: Localized } => ({ params: { en, ko } });

const STORABLE = says("NUL and half characters cannot be stored", "NUL이나 깨진 문자는 저장할 수 없습니다");
export const textOrEmpty = (longest: number) => z.string().max(longest).refine(isStorable, STORABLE);
export const text = (longest: number) => textOrEmpty(longest).min(1);
export const json = z.unknown();

export const isNotBlank = (value: string) => !isBlank(value);
export const NOT_BLANK = says("it must not be blank", "빈 값은 쓸 수 없습니다");

export const reason = textOrEmpty(2_000).describe("Why. Kept in the audit log.");
export const requiredReason = reason.refine(isNotBlank, NOT_BLANK);

/** Every decision may have a reason; the body itself may be absent. */
export const optionalReason = z.strictObject({ reason: reason.optional() }).prefault({});

/** An organisation comes as text or as a whole number, and is kept as text. */
export const organizationId = z.union([text(200), z.int()]).transform(String);

const MOST_PER_PAGE = 100;

export const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe("Which page, from 1."),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .transform((limit) => Math.min(limit, MOST_PER_PAGE))
    .describe("How many on a page; at most 100 are given."),
};
export const pageQuery = z.strictObject(paging);

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    total: z.number().int().describe("How many there are; see `more`."),
    page: z.number().int(),
    limit: z.number().int(),
    items: z.array(item),
    more: z.literal(true).optional().describe("Counting stopped early: there are more than `total`."),
  });
}

export const flag = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .describe("`true` or `false`.");

/** A decision that is applied later, unless somebody undoes it before. */
export const heldDecision = z.strictObject({
  id: z.string(),
  jobId: z.string(),
  queue: z.string(),
  action: z.enum(HELD_ACTIONS),
  actor: z.string(),
  reason: z.string().nullable(),
  madeAt: time,
  appliesAt: time,
  state: z.enum(HELD_STATES).describe("`lapsed`: the job had changed meanwhile; `note` says how."),
  settledAt: time.nullable(),
  settledBy: z.string().nullable(),
  note: z.string().nullable(),
});

/** In the answer to a decision. */
export const pendingDecision = heldDecision
  .optional()
  .describe("With 202: the decision is held back until `appliesAt`, and nothing has changed yet.");

/** In a view of something whose job has such a decision. */
export const shownDecision = heldDecision
  .optional()
  .describe("A skip or cancel that is held back until `appliesAt`, and can be undone until then.");

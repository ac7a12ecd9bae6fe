import * as z from "zod";

/** Pieces that the shapes on the wire share. */

export const time = z.iso.datetime().describe("ISO 8601, UTC.");
/** Text that both databases can store: PostgreSQL takes no NUL, and half a character is no UTF-8. */
const storable = (value: string) => !value.includes("\u0000") && value.isWellFormed();
export const text = (longest: number) =>
  z.string().min(1).max(longest).refine(storable, "text without NUL or half characters");
export const json = z.unknown();

export const reason = z
  .string()
  .max(2_000)
  .refine(storable, "text without NUL or half characters")
  .describe("Why. Kept in the audit log.");
export const requiredReason = reason.refine((value) => value.trim() !== "", "a reason that is not blank");

/** Every decision may say why; the body itself may be absent. */
export const optionalReason = z.strictObject({ reason: reason.optional() }).prefault({});

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

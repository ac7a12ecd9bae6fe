import { checkedOptions } from "@andon/contract";
import * as z from "zod";

const MOST_PER_PAGE = 100;

const pageOptions = z.strictObject({
  page: z.number().int().min(1).default(1).describe("Which page, from 1."),
  limit: z.number().int().min(1).max(MOST_PER_PAGE).default(20).describe("How many on a page, at most 100."),
});
export type PageOptions = z.input<typeof pageOptions>;

export function pageOf(options: PageOptions | undefined): { page: number; limit: number } {
  return checkedOptions("the page", pageOptions, options);
}

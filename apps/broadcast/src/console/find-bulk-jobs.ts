import type { FindThings } from "@andon/console/app";
import { broadcast, jobAddress } from "./api.ts";

const MOST_FOUND = 5;

/** Finds bulk jobs by title, for the palette. */
const findBulkJobs: FindThings = async (text, options) => {
  const { items } = await broadcast().bulkJobs.list({ text, limit: MOST_FOUND }, options);
  return items.map(({ id, title, category }) => ({ label: title, hint: category, path: jobAddress(id) }));
};

export default findBulkJobs;

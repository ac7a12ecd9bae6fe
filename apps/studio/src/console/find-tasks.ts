import type { FindThings } from "@andon/console/app";
import { studio, taskAddress } from "./api.ts";

const MOST_FOUND = 5;

/** Finds tasks by title, for the palette. */
const findTasks: FindThings = async (text, options) => {
  const { items } = await studio().tasks.list({ text, limit: MOST_FOUND }, options);
  return items.map(({ taskId, title, type }) => ({ label: title, hint: type, path: taskAddress(taskId) }));
};

export default findTasks;

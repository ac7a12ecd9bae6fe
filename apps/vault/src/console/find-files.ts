import type { FindThings } from "@andon/console/app";
import { fileAddress } from "./addresses.ts";
import { vault } from "./api.ts";

const MOST_FOUND = 5;

/** Finds files by name, for the command palette. */
const findFiles: FindThings = async (text, options) => {
  const { items } = await vault().files.list({ text, limit: MOST_FOUND }, options);
  return items.map(({ id, name, path }) => ({ label: name, hint: path, path: fileAddress(id) }));
};

export default findFiles;

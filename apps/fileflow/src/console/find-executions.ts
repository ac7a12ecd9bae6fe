import type { FindThings } from "@andon/console/app";
import { executionAddress } from "./addresses.ts";
import { fileflow } from "./api.ts";

const MOST_FOUND = 5;

/** Finds executions by file or object, for the palette. */
const findExecutions: FindThings = async (text, options) => {
  const { items } = await fileflow().executions.list({ text, limit: MOST_FOUND }, options);
  return items.map(({ executionId, fileId, bucket, key, pipelineCode }) => ({
    label: bucket !== null && key !== null ? `${bucket}/${key}` : fileId,
    hint: pipelineCode,
    path: executionAddress(executionId),
  }));
};

export default findExecutions;

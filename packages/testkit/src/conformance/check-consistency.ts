import type { Andon } from "@andon/engine";
import { expect } from "vitest";
import { findContradictions } from "../contradictions.ts";

/** Checks that the tables do not contradict each other; runs after every test. */
export async function checkConsistency(andon: Andon): Promise<void> {
  expect(await findContradictions(andon)).toEqual({});
}

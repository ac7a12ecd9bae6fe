import type { Andon } from "@andon/engine";
import { expect } from "vitest";
import { findInBooks } from "../books.ts";

/** Checks that the tables do not contradict each other; runs after every test. */
export async function checkBooks(andon: Andon): Promise<void> {
  expect(await findInBooks(andon)).toEqual({});
}

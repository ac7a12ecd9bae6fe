import type { Andon } from "@andon/engine";
import { expect } from "vitest";
import { findInBooks } from "../books.ts";

/** What the tables say of each other: run after every test, whatever it was about. */
export async function checkBooks(andon: Andon): Promise<void> {
  expect(await findInBooks(andon)).toEqual({});
}

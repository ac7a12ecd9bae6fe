import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const FOLDER = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const MOST_BYTES = 150_000;

/** The size of a screenshot for the guides. */
export const DESK = { width: 1060, height: 740 };

/** Saves a screenshot for the guides, and prints a note if the file is too large. */
export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path });
  const { size } = statSync(path);
  console.log(`${name}.png ${Math.round(size / 1000)} kB${size > MOST_BYTES ? ": too large" : ""}`);
}

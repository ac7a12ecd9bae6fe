import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const FOLDER = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const MOST_BYTES = 150_000;

/** The size of a picture of the guides. */
export const DESK = { width: 1060, height: 740 };

/** Keeps a picture for the guides, and says where it is too large for them. */
export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path });
  const { size } = statSync(path);
  console.log(`${name}.png ${Math.round(size / 1000)} kB${size > MOST_BYTES ? ": too large" : ""}`);
}

// Makes the pictures of the guides: `npm run screenshots -w apps/vault`. Look at each before you commit it.
import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { DESK, openBrowser, savePicture, signIn } from "@andon/console/testing";
import { until, VaultConsoleServer } from "../test/console/vault-console-server.ts";

const KILOBYTE = 1_000;

// A site with one obstructed move, one lost file and one unknown file.
const app = await VaultConsoleServer.start("sqlite");
const browser = await openBrowser();
const folder = await fillFolders();
await findDrift();
await holdOne();
const look = (language, colorScheme) =>
  signIn(browser, app.server, language, { colorScheme, viewport: DESK });
const { page: ko } = await look("ko", "light");
const { page: en } = await look("en", "dark");

await open(ko, `files/${folder}`);
await savePicture(ko, "files-ko-light");
await open(en, "held");
await en.getByRole("button", { name: /^Decide about/ }).click();
await en.locator("[data-simulator]").waitFor();
await savePicture(en, "held-en-dark");
await open(ko, "drift");
await savePicture(ko, "drift-ko-light");

await browser.close();
await app.close();

/** Creates folders with files; returns the id of the folder in the picture. */
async function fillFolders() {
  const make = async (name, parentId) => (await app.vault.folders.create({ name, parentId })).id;
  const contracts = await make("계약서", "root");
  const year = await make("2026", contracts);
  await make("2025", contracts);
  await make("부속 서류", year);
  await make("청구서", "root");
  await make("사진", "root");
  const sizes = [48, 213, 77, 1_340, 95, 402];
  for (const [index, size] of sizes.entries()) {
    await app.upload(`계약-${index + 1}.pdf`, `${index}`.repeat(size * KILOBYTE), year);
  }
  await app.upload("개정안.docx", "초안", year);
  await app.untilSynced();
  return year;
}

/** Changes files on the NAS as a person would, and compares. */
async function findDrift() {
  rmSync(app.onNas("계약서/2026/계약-3.pdf"));
  writeFileSync(app.onNas("계약서/2026/계약-5.pdf"), "손으로 고친 내용");
  writeFileSync(app.onNas("계약서/2026/스캔 0001.tif"), "누군가의 것");
  const { id } = await app.vault.drift.start({});
  await until(async () => (await app.vault.drift.show({ id })).state === "DONE");
}

/** Holds one file: its target is taken, and a rename waits behind the move. */
async function holdOne() {
  const { items } = (await app.vault.folders.show({ id: folder, text: "개정안" })).children;
  const { id } = items[0];
  app.obstruct("청구서/개정안.docx");
  const target = (await app.vault.folders.show({ id: "root", text: "청구서" })).children.items[0];
  await app.vault.files.move({ id, targetFolderId: target.id });
  await app.vault.files.rename({ id, newName: "개정안 최종.docx" });
  await app.untilHeld(1);
  await app.vault.files.move({ id, targetFolderId: folder });
}

async function open(page, room) {
  await page.goto(`${app.server.url}/vault/${room}`);
  await page.locator("main h1").waitFor();
  await page.locator("main .skeleton").first().waitFor({ state: "detached" });
  await wait(500);
}

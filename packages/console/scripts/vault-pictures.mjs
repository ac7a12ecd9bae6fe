import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { signIn } from "../test/operator.ts";
import { until, VaultLine } from "../test/vault-line.ts";

const KILOBYTE = 1_000;

/** The vault's rooms on a day with one obstacle, one loss and a file that nobody knows. */
export async function vaultPictures(browser, viewport, save) {
  const line = await VaultLine.start("sqlite");
  const folder = await fillFolders(line);
  await findDrift(line);
  await holdOne(line, folder);
  const at = (path) => `${line.server.url}/vault/${path}`;
  const ko = (await signIn(browser, line.server, "ko", { colorScheme: "light", viewport })).page;
  const en = (await signIn(browser, line.server, "en", { colorScheme: "dark", viewport })).page;

  await open(ko, at(`files/${folder}`));
  await save(ko, "files-ko-light");
  await open(en, at("held"));
  await en.getByRole("button", { name: /^Decide about/ }).click();
  await en.locator("[data-simulator]").waitFor();
  await save(en, "held-en-dark");
  await open(ko, at("drift"));
  await save(ko, "drift-ko-light");
  await line.close();
}

/** Folders with files in them; the id of the one to look at. */
async function fillFolders(line) {
  const make = async (name, parentId) => (await line.vault.folders.create({ name, parentId })).id;
  const contracts = await make("계약서", "root");
  const year = await make("2026", contracts);
  await make("2025", contracts);
  await make("부속 서류", year);
  await make("청구서", "root");
  await make("사진", "root");
  const sizes = [48, 213, 77, 1_340, 95, 402];
  for (const [index, size] of sizes.entries()) {
    await line.upload(`계약-${index + 1}.pdf`, `${index}`.repeat(size * KILOBYTE), year);
  }
  await line.upload("개정안.docx", "초안", year);
  await line.untilSynced();
  return year;
}

/** Somebody worked on the NAS by hand. */
async function findDrift(line) {
  rmSync(line.onNas("계약서/2026/계약-3.pdf"));
  writeFileSync(line.onNas("계약서/2026/계약-5.pdf"), "손으로 고친 내용");
  writeFileSync(line.onNas("계약서/2026/스캔 0001.tif"), "누군가의 것");
  const { id } = await line.vault.drift.start({});
  await until(async () => (await line.vault.drift.show({ id })).state === "DONE");
}

/** A move that meets somebody else's file, with a rename behind it. */
async function holdOne(line, folder) {
  const { items } = (await line.vault.folders.show({ id: folder, text: "개정안" })).children;
  const { id } = items[0];
  line.obstruct("청구서/개정안.docx");
  const target = (await line.vault.folders.show({ id: "root", text: "청구서" })).children.items[0];
  await line.vault.files.move({ id, targetFolderId: target.id });
  await line.vault.files.rename({ id, newName: "개정안 최종.docx" });
  await line.untilHeld(1);
  await line.vault.files.move({ id, targetFolderId: folder });
}

async function open(page, url) {
  await page.goto(url);
  await page.locator("main h1").waitFor();
  await page.locator("main .skeleton").first().waitFor({ state: "detached" });
  await wait(500);
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  browserPath,
  builtSiteWith,
  openBrowser,
  signIn,
  tooWideForAPhone,
  violations,
} from "@andon/console/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKAGES, type Product, startProduct } from "./product.ts";

const WORDS = {
  en: {
    room: "Addresses",
    email: "E-mail",
    name: "Name",
    add: "Add address",
    checked: "Checked",
    code: "Code",
  },
  ko: { room: "주소록", email: "이메일", name: "이름", add: "주소 추가", checked: "확인됨", code: "코드" },
};

describe.skipIf(!browserPath)("the room of the address book", () => {
  let site: ReturnType<typeof builtSiteWith>;
  let product: Product;
  let browser: Browser;

  beforeAll(async () => {
    site = builtSiteWith(PACKAGES);
    product = await startProduct("sqlite", site.folder);
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    site?.remove();
  });

  test.each(["en", "ko"] as const)("lists addresses and adds one, in %s", async (language) => {
    const say = WORDS[language];
    const email = `${language}@example.com`;
    const { page, complaints } = await signIn(browser, product, language);
    await page.getByRole("link", { name: say.room, exact: true }).click();
    await page.getByLabel(say.name).fill("Grace");
    await page.getByLabel(say.email).fill(email);
    await page.getByRole("button", { name: say.add }).click();
    const row = page.getByRole("row").filter({ hasText: email });
    await row.getByText(say.checked, { exact: true }).filter({ visible: true }).waitFor();
    expect(await page.getByLabel(say.email).inputValue()).toBe("");
    expect(await violations(page, "light")).toEqual([]);
    expect(await violations(page, "dark")).toEqual([]);
    expect(await tooWideForAPhone(page)).toEqual([]);
    expect(complaints).toEqual([]);

    await page.getByLabel(say.name).fill("Grace");
    await page.getByLabel(say.email).fill(email);
    await page.getByRole("button", { name: say.add }).click();
    await page.getByText(`${say.code} ADDRESS_TAKEN`).waitFor();
    expect(await page.getByLabel(say.email).inputValue()).toBe(email);

    const { items } = await product.admin.jobs.list({ queue: "address-checks", state: "done" });
    await page.goto(`${product.url}/jobs/${items[0]?.id}`);
    await page.getByRole("link", { name: email }).click();
    await row.waitFor();
    await page.context().close();
  });

  test("is loaded when it is opened: the first load has its name and none of its components", () => {
    const folder = fileURLToPath(site.folder);
    const page = readFileSync(join(folder, "index.html"), "utf8");
    const scripts = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"));
    const having = (text: string) =>
      scripts.filter((name) => readFileSync(join(folder, "assets", name), "utf8").includes(text));
    const isFirst = (name: string) => page.includes(name);
    expect(having("/address-book").some(isFirst)).toBe(true);
    expect(having("확인 전")).toHaveLength(1);
    expect(having("확인 전").some(isFirst)).toBe(false);
    // The schemas of the routes are in no file.
    expect(having("Whose address it is")).toEqual([]);
  });
});

import { andon } from "@andon/cli/testing";
import { until } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKAGES, type Product, startProduct } from "./product.ts";

describe.each(["sqlite", "postgres"] as const)("a product with the address book, on %s", (store) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct(store);
  });
  afterAll(() => product?.close());

  test("reports that the app runs, and which permissions it adds", async () => {
    expect((await product.admin.session.me()).apps.at(-1)).toBe("address-book");
    const { items } = await product.admin.keys.permissions();
    expect(items.filter(({ app }) => app === "address-book").map(({ name }) => name)).toEqual([
      "addresses.read",
      "addresses.write",
    ]);
  });

  test("checks an address with a job, and adds no address twice", async () => {
    const { addresses } = await product.bookFor(["addresses.read", "addresses.write"]);
    const { id } = await addresses.add({ name: "Ada", email: "ada@example.com" });
    await until(
      async () => (await addresses.list()).items.find((each) => each.id === id)?.state === "CHECKED",
    );
    await expect(addresses.add({ name: "Ada", email: "ada@example.com" })).rejects.toMatchObject({
      status: 409,
      code: "ADDRESS_TAKEN",
      message: "ada@example.com is in the address book already.",
    });
    const { total } = await product.admin.jobs.list({ queue: "address-checks" });
    expect(total).toBe(1);
  });

  test("lists the failed check of an address that takes no mail, with its name", async () => {
    const { addresses } = await product.bookFor(["addresses.read", "addresses.write"]);
    await addresses.add({ name: "Nobody", email: "nobody@example.invalid" });
    const failed = () => product.admin.queues.failed({ queue: "address-checks" });
    await until(async () => (await failed()).total === 1);
    expect((await failed()).items[0]).toMatchObject({
      aggregateType: "ADDRESS",
      failedReason: "Unretryable: example.invalid takes no mail",
    });
    expect((await addresses.list()).items.map(({ state }) => state)).toEqual(["CHECKED", "NEW"]);
  });

  test("requires the permission, and shows a tenant only its own addresses", async () => {
    const reader = await product.bookFor(["addresses.read"]);
    await expect(reader.addresses.add({ name: "Eve", email: "eve@example.com" })).rejects.toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    });
    const acme = await product.bookFor(["addresses.read", "addresses.write"], "acme");
    expect((await acme.addresses.list()).total).toBe(0);
    await acme.addresses.add({ name: "Ada", email: "ada@example.com" });
    expect((await acme.addresses.list()).items.map(({ email }) => email)).toEqual(["ada@example.com"]);
    expect((await reader.addresses.list()).items.filter(({ name }) => name === "Ada")).toHaveLength(1);
  });

  test("has the command `andon addresses list`, in both languages", async () => {
    const env = { ANDON_URL: product.url, ANDON_TOKEN: product.adminToken };
    const english = await andon(["addresses", "list"], { env, packages: PACKAGES });
    expect(english).toMatchObject({ code: 0, stderr: "" });
    expect(english.stdout).toMatch(/E-mail/);
    expect(english.stdout).toMatch(/Ada +ada@example\.com +CHECKED/);
    const korean = await andon(["addresses", "list", "--lang", "ko"], { env, packages: PACKAGES });
    expect(korean.stdout).toMatch(/이메일/);
    expect((await andon(["addresses", "list"], { env })).code).toBe(2);
  });
});

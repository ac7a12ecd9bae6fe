import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INSTALLED_APPS } from "@andon/apps/installed";
import { type Client, type ClientOf, clientOf, createClient } from "@andon/client";
import { loadInstalled, settingsOf, startServer } from "@andon/server";
import { createDatabaseWith } from "@andon/testkit";
import { ADDRESS_ROUTES } from "../src/contract/routes.ts";

/** The list of `apps/installed.ts` plus one line, which is all a product needs to include the address book. */
export const PACKAGES = [...INSTALLED_APPS, "@andon/address-book"];

export interface Product {
  readonly url: string;
  readonly admin: Client;
  readonly adminToken: string;
  /** A client of the address book with a key that has these permissions. */
  bookFor(permissions: string[], tenantId?: string): Promise<ClientOf<typeof ADDRESS_ROUTES>>;
  /** A console link as the first start prints it. */
  link(): Promise<string>;
  close(): Promise<void>;
}

/** A server of that product on an empty database. `console`: the folder of its built console. */
export async function startProduct(store: "sqlite" | "postgres", console?: URL): Promise<Product> {
  const data = mkdtempSync(join(tmpdir(), "andon-address-book-"));
  const database = store === "postgres" ? await createDatabaseWith("vault") : undefined;
  const adminToken = randomBytes(24).toString("base64url");
  const given = { port: 0, data, adminToken, log: { level: "silent" as const } };
  const settings = settingsOf(
    { ...given, ...(database ? { store: database.url } : {}) },
    await loadInstalled(PACKAGES),
  );
  const running = await startServer(settings, { checkAnswers: true, ...(console ? { console } : {}) });
  const url = running.url ?? "";
  const admin = createClient({ url, token: adminToken, language: "en" });
  return {
    url,
    admin,
    adminToken,
    async bookFor(permissions, tenantId) {
      const scope = tenantId === undefined ? {} : { tenantId };
      const { token } = await admin.keys.create({ name: permissions.join(), permissions, ...scope });
      return clientOf(ADDRESS_ROUTES, { url, token, language: "en" });
    },
    link: async () => (await admin.session.link()).url,
    async close() {
      await running.close();
      await database?.drop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

import { defineApp } from "@andon/app";
import { type Client, createClient } from "@andon/client";
import type { Installed, SettingsInput, StartOptions } from "@andon/server";
import { describeOnStores, ServerUnderTest, type StoreName, startUnderTest } from "./server-under-test.ts";

/** Every path at which a route is served. */
export { pathsOfRoute } from "../src/http/route-paths.ts";
export * from "./server-under-test.ts";

/** A queue for which an app has an alias, so that the tests use both paths. */
const LINE = "nas-sync";
const alias = defineApp({ name: "alias", queueAliases: { "/admin/queue": LINE } });

/** A whole server on an empty database. Every answer is checked against its schema. */
export class TestServer extends ServerUnderTest {
  protected override readonly headers = {};

  static async start(
    store: StoreName,
    settings: SettingsInput = {},
    options: StartOptions = {},
    installed?: Installed,
  ): Promise<TestServer> {
    const given = {
      ...settings,
      // Installed apps have their own alias.
      apps: [...(installed ? [] : [alias]), ...(settings.apps ?? [])],
      queues: installed
        ? settings.queues
        : { ...settings.queues, [LINE]: { stopReason: "NAS_SYNC_FAILED", ...settings.queues?.[LINE] } },
    };
    return new TestServer(
      await startUnderTest("server", store, { settings: () => given, options, installed }),
    );
  }

  client(token = this.adminToken, language: "ko" | "en" = "en"): Client {
    return createClient({ url: this.url, token, language });
  }
}

/** Registers tests for both stores, each with its own server. */
export const describeServers = describeOnStores((store, settings?: SettingsInput) =>
  TestServer.start(store, settings),
);

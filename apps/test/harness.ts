import { INSTALLED_APPS } from "@andon/apps/installed";
import { CORE_PERMISSIONS, type RouteTable } from "@andon/contract";
import { loadInstalled } from "@andon/server";
import { STORES, TestServer } from "@andon/server/testing";

export { STORES, TestServer };

const { apps } = await loadInstalled(INSTALLED_APPS);

/** The tables of routes of all installed apps. */
export const APP_ROUTES: readonly RouteTable[] = apps.flatMap(({ routes }) => (routes ? [routes] : []));

/** Paths that apps give to their queues. */
export const ALIASES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...apps.map(({ queueAliases }) => queueAliases),
);

export const PERMISSIONS: readonly string[] = [
  ...CORE_PERMISSIONS,
  ...apps.flatMap(({ permissions }) => permissions ?? []),
];

/** A server with every installed app, on an empty database. */
export async function startWithInstalled(store: (typeof STORES)[number]): Promise<TestServer> {
  return TestServer.start(store, {}, {}, await loadInstalled(INSTALLED_APPS));
}

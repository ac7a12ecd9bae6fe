import { INSTALLED_APPS } from "@andon/apps/installed";
import type { RouteTable } from "@andon/contract";
import { loadInstalled } from "@andon/server";

/** The apps that come with Andon: the reference tells of them beside the core. */
export const { apps: APPS } = await loadInstalled(INSTALLED_APPS);

/** Their tables of routes, by app. */
export const ROUTES_OF_APPS: Readonly<Record<string, RouteTable>> = Object.fromEntries(
  APPS.flatMap(({ name, routes }) => (routes ? [[name, routes]] : [])),
);

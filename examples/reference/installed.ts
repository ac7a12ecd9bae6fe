import { INSTALLED_APPS } from "@andon/apps/installed";
import type { RouteTable } from "@andon/contract";
import { loadInstalled } from "@andon/server";

/** The apps that are part of Andon. The reference describes them together with the core. */
export const { apps: APPS } = await loadInstalled(INSTALLED_APPS);

/** The tables of routes of these apps, by app. */
export const ROUTES_OF_APPS: Readonly<Record<string, RouteTable>> = Object.fromEntries(
  APPS.flatMap(({ name, routes }) => (routes ? [[name, routes]] : [])),
);

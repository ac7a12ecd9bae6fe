import type { App } from "@andon/app";
import type { Installed } from "./config/apps-to-run.ts";

/** Makes the apps of these packages. Each package's default export is a function, because an app value belongs to one host. */
export async function loadInstalled(packages: readonly string[]): Promise<Installed> {
  return { apps: await Promise.all(packages.map(appOf)) };
}

async function appOf(name: string): Promise<App> {
  const { default: make } = (await import(name)) as { default?: () => App };
  if (typeof make !== "function")
    throw new Error(`the default export of the package ${name} is not a function that makes its app`);
  return make();
}

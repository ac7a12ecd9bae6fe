import type { App } from "@andon/app";
import type { Installed } from "./config/apps-to-run.ts";

/** Makes the apps of these packages. Each package exports as default what makes its app, since an app value is for one host. */
export async function loadInstalled(packages: readonly string[]): Promise<Installed> {
  return { apps: await Promise.all(packages.map(appOf)) };
}

async function appOf(name: string): Promise<App> {
  const { default: make } = (await import(name)) as { default?: () => App };
  if (typeof make !== "function")
    throw new Error(`the package ${name} does not export a function that makes its app as default`);
  return make();
}

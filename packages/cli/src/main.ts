#!/usr/bin/env node
import { INSTALLED_APPS } from "@andon/apps/installed";
import { loadCliApps } from "./cli-app.ts";
import { run } from "./run.ts";
import { shellOf } from "./terminal/shell.ts";

process.exitCode = await run(process.argv.slice(2), shellOf(process), {
  apps: await loadCliApps(INSTALLED_APPS),
  installed: async () => {
    const { loadInstalled } = await import("@andon/server");
    return loadInstalled(INSTALLED_APPS);
  },
});

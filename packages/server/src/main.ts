#!/usr/bin/env node
import { withBuiltInApps } from "./built-in-apps.ts";
import { closeOnSignals } from "./close-on-signals.ts";
import { loadSettings } from "./config/load.ts";
import { SettingsError } from "./config/problems.ts";
import type { Settings } from "./config/settings.ts";
import { openLog } from "./observe/log.ts";
import { withoutLogins } from "./observe/redaction.ts";
import { startServer } from "./start.ts";

/** As sysexits.h calls it: the configuration is wrong, and starting again changes nothing. */
const EX_CONFIG = 78;

/** The process: settings, start, signals, exit code. */
async function main(): Promise<void> {
  const settings = withBuiltInApps(await loadSettings());
  const log = openLog(settings.log.level);
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "ended by an error that nobody caught; its jobs go back to work");
    process.exit(1);
  });
  const starting = startServer(settings, { log });
  closeOnSignals(starting).then(
    () => process.exit(0),
    (error) => {
      log.fatal({ err: error }, "could not close in order");
      process.exit(1);
    },
  );
  const server = await starting.catch((error: unknown) => {
    throw asMessage(error, settings);
  });
  if (server.url) say(`Andon listens on ${server.url}`);
  else say(`Andon runs as ${settings.roles.join(", ")}`);
  if (server.consoleLink) say(`Open the console (works once, within 15 minutes): ${server.consoleLink}`);
}

function asMessage(error: unknown, { host, port }: Settings): unknown {
  const { code } = error as { code?: unknown };
  if (code === "EADDRINUSE")
    return new Error(`port ${port} of ${host} is in use: set ANDON_PORT (or "port") to another one`);
  if (code === "EACCES" && port < 1024)
    return new Error(`port ${port} needs more rights: set ANDON_PORT (or "port") to one from 1024`);
  return error;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown };
  return withoutLogins(message || String(code ?? error));
}

main().catch((error: unknown) => {
  const isSettings = error instanceof SettingsError;
  const head = isSettings ? "The settings cannot be used:\n" : "Andon could not start: ";
  process.stderr.write(`${head}${messageOf(error)}\n`);
  process.exit(isSettings ? EX_CONFIG : 1);
});

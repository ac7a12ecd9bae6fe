#!/usr/bin/env node
import { INSTALLED_APPS } from "@andon/apps/installed";
import { isAndonError, languageOfLocale } from "@andon/contract";
import { closeOnSignals } from "./close-on-signals.ts";
import { loadSettings } from "./config/load.ts";
import { SettingsError } from "./config/problems.ts";
import { loadInstalled } from "./installed-apps.ts";
import { processLog } from "./observe/log.ts";
import { withoutLogins } from "./observe/redaction.ts";
import { startServer } from "./start.ts";

/** EX_CONFIG of sysexits.h: the configuration is wrong, so a restart does not help. */
const EX_CONFIG = 78;

/** Runs the process: settings, start, signals, exit code. */
async function main(): Promise<void> {
  const installed = await loadInstalled(INSTALLED_APPS);
  const settings = await loadSettings(process.env, process.cwd(), installed);
  const log = processLog(settings.log);
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "ended by an error that nobody caught; its jobs go back to work");
    process.exit(1);
  });
  const starting = startServer(settings, { log });
  closeOnSignals(starting, settings).then(
    () => process.exit(0),
    (error) => {
      log.fatal({ err: error }, "could not close in order");
      process.exit(1);
    },
  );
  const server = await starting;
  if (server.url) say(`Andon listens on ${server.url}`);
  else say(`Andon runs as ${settings.roles.join(", ")}`);
  if (server.consoleLink) sayLink(`Open the console (works once, within 15 minutes): ${server.consoleLink}`);
}

/** On a terminal, empty lines separate the link from the log. */
function sayLink(line: string): void {
  say(process.stdout.isTTY ? `\n  ${line}\n` : line);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const BAD_SETTINGS = { en: "The settings cannot be used:", ko: "설정을 사용할 수 없습니다:" };
const NOT_STARTED = { en: "Andon could not start:", ko: "Andon을 시작할 수 없습니다:" };

function messageOf(error: unknown): string {
  const language = languageOfLocale(process.env);
  if (error instanceof SettingsError) return `${BAD_SETTINGS[language]}\n${error.in(language)}`;
  if (isAndonError(error)) return `${NOT_STARTED[language]} ${error.in(language)}`;
  const { message, code } = error as { message?: string; code?: unknown };
  return `${NOT_STARTED[language]} ${message || String(code ?? error)}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${withoutLogins(messageOf(error))}\n`);
  process.exit(error instanceof SettingsError ? EX_CONFIG : 1);
});

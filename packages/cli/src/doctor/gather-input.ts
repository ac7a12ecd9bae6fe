import { dirname, resolve } from "node:path";
import { type Client, RefusedError } from "@andon/client";
import type { Settings } from "@andon/server";
import type { Use } from "../terminal/command.ts";
import { describeError } from "../terminal/failures.ts";
import { serverEnvironment } from "../terminal/server-environment.ts";
import type { CheckInput, LocalStore, ServerInspection } from "./check.ts";
import { problemOf } from "./problem-of.ts";

/** Gathers the input of the checks. What cannot be read is kept as a problem, for a check to report. */
export async function gatherInput({
  connection: named,
  shell,
  language,
  server,
  installed,
}: Pick<Use, "connection" | "shell" | "language" | "server" | "installed">): Promise<CheckInput> {
  const { settings, problems } = await settingsOf({ shell, language, server, installed });
  const connection = settings ? await named.serverOf(settings) : named;
  const { inspection, problem } = await inspectServer(connection, language);
  const { store, problem: storeProblem } = settings ? await inspectLocalStore(settings, shell.folder) : {};
  // If a server answers and this store was never used, that server has another store, and reports on it itself.
  const isOurs = store !== undefined && (store.isUsed || !inspection);
  return {
    connection,
    language,
    folder: shell.folder,
    store,
    storeProblem,
    isOurStore: isOurs,
    readSiteSnapshot: (await server()).readSiteSnapshot,
    settings,
    settingsProblems: problems,
    dataFolder: settings ? resolve(shell.folder, settings.data) : dirname(connection.adminKeyFile),
    server: inspection,
    serverProblem: problem,
    client: inspection && clientOf(connection),
  };
}

async function settingsOf({
  shell: { env, folder },
  language,
  server,
  installed,
}: Pick<Use, "shell" | "language" | "server" | "installed">): Promise<{
  settings?: Settings;
  problems: string[];
}> {
  const { loadSettings, SettingsError } = await server();
  try {
    const settings = await loadSettings(serverEnvironment(env), folder, await installed());
    return { settings, problems: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { problems: error.lines(language) };
  }
}

async function inspectLocalStore(
  { store, apps }: Settings,
  folder: string,
): Promise<{ store?: LocalStore; problem?: string }> {
  const { inspectStore } = await import("@andon/server");
  const asked = Date.now();
  try {
    const inspection = await inspectStore({ store: absoluteStore(store, folder), apps });
    const isUsed = inspection.versions.some(({ found }) => found > 0);
    return { store: { inspection, asked, answered: Date.now(), isUsed } };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** Resolves a relative SQLite path against the folder in which the command runs. */
function absoluteStore(store: string, folder: string): string {
  const path = /^sqlite:(?!:memory:)(.*)$/.exec(store)?.[1];
  return path === undefined ? store : `sqlite:${resolve(folder, path)}`;
}

async function inspectServer(
  connection: Use["connection"],
  language: Use["language"],
): Promise<{ inspection?: ServerInspection; problem?: string }> {
  const times = { asked: Date.now(), answered: 0 };
  let date: number | undefined;
  let body: ServerInspection["parts"] | undefined;
  const noting: typeof fetch = async (...request) => {
    const response = await connection.fetch(...request);
    times.answered = Date.now();
    const header = response.headers.get("date");
    date = header === null ? undefined : Date.parse(header);
    // A 503 is an answer too: it names the parts that are not ready.
    if (response.status === 503)
      body = ((await response.clone().json()) as { parts: ServerInspection["parts"] }).parts;
    return response;
  };
  try {
    const { parts } = await connection.client({ withoutKey: true, fetch: noting }).system.ready();
    return { inspection: { parts, ...times, date } };
  } catch (error) {
    if (error instanceof RefusedError && body) return { inspection: { parts: body, ...times, date } };
    return { problem: describeError(error, language, connection.url).message };
  }
}

function clientOf(connection: Use["connection"]): Client | undefined {
  return connection.findToken() === undefined ? undefined : connection.client();
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoNas, demoRules } from "@andon/app";
import { Connection, type Use, useOf } from "@andon/cli/app";
import { vaultApp } from "../../app.ts";
import { type AlertReceiver, openAlertReceiver } from "./alert-receiver.ts";

export const QUEUE = "nas-sync";

/** A whole site in a temporary folder, with a NAS that can be disconnected. */
export interface Stage {
  readonly folder: string;
  readonly dataFolder: string;
  readonly nasFolder: string;
  readonly consoleLink: string;
  readonly alerts: AlertReceiver;
  /** The context of commands that are run against this site. */
  readonly use: Use;
  takeNasAway(): Promise<void>;
  bringNasBack(): Promise<void>;
  /** Ends the site and removes the folder. */
  close(): Promise<void>;
}

export async function openStage(use: Use, { firstWaitMs }: { firstWaitMs: number }): Promise<Stage> {
  const { shell, language } = use;
  const folder = await mkdtemp(join(tmpdir(), "andon-demo-"));
  const dataFolder = join(folder, "data");
  const nas = new DemoNas(join(dataFolder, "nas"));
  let alerts: AlertReceiver | undefined;
  let server: Awaited<ReturnType<Awaited<ReturnType<Use["server"]>>["startServer"]>> | undefined;
  const close = async () => {
    await server?.close();
    await alerts?.close();
    // A file call that is still running after the end of the server can create a file there.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  try {
    alerts = await openAlertReceiver();
    const { settingsOf, startServer } = await use.server();
    const settings = settingsOf({
      port: 0,
      data: dataFolder,
      log: { level: "silent" },
      alerts: { language, channels: [{ type: "webhook", url: alerts.url, name: "demo" }] },
      queues: { [QUEUE]: demoRules(firstWaitMs) },
      apps: [vaultApp()],
    });
    server = await startServer(settings);
    const url = server.url ?? "";
    // The demo uses its own server, whatever server the caller's environment names.
    const { ANDON_TOKEN: _token, ...env } = shell.env;
    const ownShell = {
      ...shell,
      env: { ...env, ANDON_DATA: dataFolder },
      interruption: () => shell.interruption(),
    };
    const connection = new Connection({ url }, ownShell, language);
    return {
      folder,
      dataFolder,
      nasFolder: nas.folder,
      consoleLink: server.consoleLink ?? "",
      alerts,
      use: useOf({ ...use, given: {}, options: {}, connection, shell: ownShell }),
      takeNasAway: () => nas.takeAway(),
      bringNasBack: () => nas.bringBack(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

import { type ClientOf, clientOf } from "@andon/client";
import { ConsoleServer, type StoreName } from "@andon/console/testing";
import type { SettingsInput } from "@andon/server";
import { type StudioOptions, studioApp } from "@andon/studio";
import { until } from "@andon/testkit";
import { STUDIO_ROUTES } from "../../src/contract/routes.ts";
import { SMALL_FILM } from "../harness.ts";

/** A server with this app and its console. */
export class StudioConsoleServer {
  readonly server: ConsoleServer;
  readonly tasks: ClientOf<typeof STUDIO_ROUTES>["tasks"];

  private constructor(server: ConsoleServer, token: string) {
    this.server = server;
    this.tasks = clientOf(STUDIO_ROUTES, { url: server.url, token, language: "en" }).tasks;
  }

  static async start(store: StoreName, options: StudioOptions = {}): Promise<StudioConsoleServer> {
    const studio = { video: SMALL_FILM, maxRetries: 1 };
    const settings = { apps: [studioApp(options) as never], studio } as SettingsInput;
    const server = await ConsoleServer.start(store, settings);
    const { token } = await server.client().keys.create({ name: "test", permissions: ["admin"] });
    return new StudioConsoleServer(server, token);
  }

  async make(
    title: string,
    more: Partial<Parameters<StudioConsoleServer["tasks"]["create"]>[0]> = {},
  ): Promise<string> {
    return (await this.tasks.create({ title, ...more })).taskId;
  }

  /** Waits until the task is in this phase and status, such as `image/waiting`. */
  async reaches(id: string, phaseAndStatus: string): Promise<void> {
    await until(async () => {
      const { type, status } = await this.tasks.show({ id });
      return `${type}/${status}` === phaseAndStatus;
    });
  }
}

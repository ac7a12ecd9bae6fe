import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ClientOf, clientOf } from "@andon/client";
import { ConsoleServer, type StoreName } from "@andon/console/testing";
import { fileflowApp } from "@andon/fileflow";
import type { SettingsInput } from "@andon/server";
import { until } from "@andon/testkit";
import { FILEFLOW_ROUTES } from "../../src/contract/routes.ts";
import { ownEvent } from "../harness.ts";
import { Gate, stagesOf } from "../programs.ts";

/** The pipelines of the test server: `images` has a description and a match, and `gated` waits for the test. */
const PIPELINES = [
  {
    code: "images",
    description: "Pictures of the shop: dimensions and a thumbnail, no OCR.",
    priority: 5,
    match: { mimeTypes: ["image/*"], buckets: ["demo"], prefix: "shop/" },
    stages: stagesOf("probe", "image", "publish"),
  },
  { code: "gated", stages: [...stagesOf("probe"), { use: "gate", name: "inspect" }, ...stagesOf("publish")] },
];

/** A server with FileFlow and its console, whose bucket `demo` is a folder of the test. */
export class FileflowConsoleServer {
  readonly server: ConsoleServer;
  readonly fileflow: ClientOf<typeof FILEFLOW_ROUTES>;
  readonly gate: Gate;
  readonly #folder: string;

  private constructor(server: ConsoleServer, folder: string, token: string, gate: Gate) {
    this.server = server;
    this.gate = gate;
    this.#folder = folder;
    this.fileflow = clientOf(FILEFLOW_ROUTES, { url: server.url, token, language: "en" });
  }

  static async start(store: StoreName): Promise<FileflowConsoleServer> {
    const folder = mkdtempSync(join(tmpdir(), "andon-console-fileflow-"));
    const gate = new Gate();
    const settings = {
      apps: [fileflowApp({ programs: { gate: gate.program } }) as never],
      fileflow: {
        pipelines: PIPELINES,
        buckets: { demo: { url: `file:${folder}` } },
        traceUrl: "https://traces.example.com/trace/{traceId}",
      },
    };
    const server = await ConsoleServer.start(store, settings as SettingsInput);
    const { token } = await server.client().keys.create({ name: "test", permissions: ["admin"] });
    return new FileflowConsoleServer(server, folder, token, gate);
  }

  putObject(key: string, content: string | Uint8Array): void {
    const path = join(this.#folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Sends an event about an object of the bucket, and returns the id of its execution. */
  async execute(key: string, event: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.fileflow.ingest.events(ownEvent({ bucket: "demo", key, ...event }));
    if (!("executionId" in answer)) throw new Error(JSON.stringify(answer));
    return answer.executionId;
  }

  /** Sends an event with an invalid size and without a MIME type, which becomes a dead letter. */
  async sendInvalid(key: string): Promise<void> {
    const event = ownEvent({ key, size: "large", mime: undefined });
    await this.fileflow.ingest.events(event).then(
      () => {
        throw new Error("the event was not refused");
      },
      () => {},
    );
  }

  async untilStatus(id: string, status: string): Promise<void> {
    await until(async () => (await this.fileflow.executions.show({ id })).status === status);
  }

  async close(): Promise<void> {
    this.gate.open();
    await this.server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileflowOptions, fileflowApp } from "@andon/fileflow";
import type { SettingsInput } from "@andon/server";
import {
  describeOnStores,
  type Ground,
  type Reply,
  ServerUnderTest,
  type StoreName,
  startUnderTest,
  until,
} from "@andon/server/testing";

export { type Reply, type StoreName, until } from "@andon/server/testing";

export interface SetUp {
  readonly app?: FileflowOptions;
  readonly settings?: SettingsInput;
  readonly ground?: Ground;
}

/** A server with this app on an empty database. */
export class FileflowServer extends ServerUnderTest {
  static async start(
    store: StoreName,
    { app = {}, settings = {}, ground }: SetUp = {},
  ): Promise<FileflowServer> {
    const given = { apps: [fileflowApp(app) as never], ...settings };
    return new FileflowServer(await startUnderTest("fileflow", store, { settings: () => given, ground }));
  }

  /** The value that `/metrics` prints for one series. */
  async metric(series: string): Promise<number | undefined> {
    const { body } = await this.ask("GET", "/metrics");
    const line = String(body)
      .split("\n")
      .find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length));
  }

  /** The path of an object in a bucket of this server's data folder. */
  objectPath(bucket: string, key: string): string {
    return join(this.data, "buckets", bucket, key);
  }

  putObject(bucket: string, key: string, content: string | Uint8Array): void {
    const path = this.objectPath(bucket, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Sends an event in the app's own schema. */
  ingest(event: Record<string, unknown> = {}, token?: string): Promise<Reply> {
    return this.ask("POST", "/ingest/events", {
      body: ownEvent(event),
      ...(token === undefined ? {} : { token }),
    });
  }

  /** Sends an event, and returns the id of its execution. */
  async execute(event: Record<string, unknown> = {}, token?: string): Promise<string> {
    const { status, body } = await this.ingest(event, token);
    if (status !== 202) throw new Error(`ingest: ${status} ${JSON.stringify(body)}`);
    return body.executionId;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  execution(id: string): Promise<any> {
    return this.done("GET", `/pipelines/executions/${id}`);
  }

  /** Waits until the execution has this status, and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async inStatus(id: string, status: string): Promise<any> {
    await until(async () => {
      const execution = await this.execution(id);
      if (execution.status !== status && ENDED.includes(execution.status))
        throw new Error(`the execution ended ${execution.status}: ${JSON.stringify(execution)}`);
      return execution.status === status;
    });
    return this.execution(id);
  }
}

const ENDED = ["COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"];

let made = 0;

/** An event in the app's own schema, with a new key unless one is given. */
export function ownEvent(event: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "s3.object.created",
    bucket: "bkt",
    key: `path/object-${++made}`,
    size: 5,
    mime: "text/plain",
    tenantId: "tnt_demo",
    organizationId: 123,
    ...event,
  };
}

export const describeFileflow = describeOnStores(FileflowServer.start);

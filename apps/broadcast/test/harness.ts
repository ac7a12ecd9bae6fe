import { type BroadcastOptions, broadcastApp } from "@andon/broadcast";
import type { SettingsInput } from "@andon/server";
import {
  type Asked,
  describeOnStores,
  type Ground,
  ServerUnderTest,
  type StoreName,
  startUnderTest,
  until,
} from "@andon/server/testing";

export { STORES, type StoreName, until } from "@andon/server/testing";

export interface SetUp {
  readonly app?: BroadcastOptions;
  readonly settings?: SettingsInput;
  readonly ground?: Ground;
}

/** A server with this app on an empty database. */
export class BroadcastServer extends ServerUnderTest {
  static async start(
    store: StoreName,
    { app = {}, settings = {}, ground }: SetUp = {},
  ): Promise<BroadcastServer> {
    const given = { apps: [broadcastApp(app) as never], ...settings };
    return new BroadcastServer(await startUnderTest("broadcast", store, { settings: () => given, ground }));
  }

  /** A body of text is sent as NDJSON. */
  override ask(method: string, path: string, asked: Asked = {}) {
    if (typeof asked.body !== "string") return super.ask(method, path, asked);
    return super.ask(method, path, {
      ...asked,
      headers: { "content-type": "application/x-ndjson", ...asked.headers },
    });
  }

  /** Stores channels `c0001` and so on. */
  async addChannels(count: number, token?: string, prefix = "c"): Promise<void> {
    const lines = Array.from({ length: count }, (_, at) => JSON.stringify({ id: channelId(at + 1, prefix) }));
    await this.done("POST", "/channels", {
      body: lines.join("\n"),
      ...(token === undefined ? {} : { token }),
    });
  }

  async makeJob(job: Record<string, unknown> = {}, token?: string): Promise<string> {
    const body = { category: "news", title: "Hello", body: "World", ...job };
    return (await this.done("POST", "/bulk-jobs", { body, ...(token === undefined ? {} : { token }) })).id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  job(id: string): Promise<any> {
    return this.done("GET", `/bulk-jobs/${id}`);
  }

  /** Waits until the job is in this state, and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async inState(id: string, state: string): Promise<any> {
    await until(async () => (await this.job(id)).state === state);
    return this.job(id);
  }

  /** Waits until at least this many recipients are processed. */
  async processed(id: string, atLeast: number): Promise<void> {
    await until(async () => (await this.job(id)).processed >= atLeast);
  }

  /** The channels that a job has notified, in order. */
  async notified(id: string): Promise<string[]> {
    const sql = "select channel_id as id from broadcast_notifications where job_id = $1 order by channel_id";
    return (await this.rows<{ id: string }>(sql, [id])).map((row) => row.id);
  }
}

export function channelId(at: number, prefix = "c"): string {
  return `${prefix}${String(at).padStart(4, "0")}`;
}

/** Four chunks a second: slow enough that a test can act between chunks, even on a busy machine. */
export const SLOW = { chunkSize: 10, throttle: { pauseMs: 250 } } as const;

export const describeBroadcast = describeOnStores(BroadcastServer.start);

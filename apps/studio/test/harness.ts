import { deflateSync } from "node:zlib";
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
import { type Executors, type StudioOptions, studioApp } from "@andon/studio";
import { expect } from "vitest";

export { type Reply, STORES, type StoreName, until } from "@andon/server/testing";

export interface SetUp {
  readonly app?: StudioOptions;
  /** Settings of the app, merged with the small film that tests use. */
  readonly studio?: Record<string, unknown>;
  readonly settings?: SettingsInput;
  readonly ground?: Ground;
}

/** A film that is rendered within a second or two. */
export const SMALL_FILM = { width: 320, height: 180, fps: 10, sceneSeconds: 1, fadeSeconds: 0.2 } as const;

/** A server with this app on an empty database. */
export class StudioServer extends ServerUnderTest {
  static async start(
    store: StoreName,
    { app = {}, studio = {}, settings = {}, ground }: SetUp = {},
  ): Promise<StudioServer> {
    const given = {
      apps: [studioApp(app) as never],
      studio: { video: SMALL_FILM, ...studio },
      ...settings,
    };
    return new StudioServer(await startUnderTest("studio", store, { settings: () => given, ground }));
  }

  /** Bodies stay bytes, because they are films and images. */
  protected override shown(bytes: Buffer): Buffer {
    return bytes;
  }

  async makeTask(task: Record<string, unknown> = {}, token?: string): Promise<string> {
    const body = { title: "봄", ...task };
    return (await this.done("POST", "/tasks", { body, ...(token === undefined ? {} : { token }) })).taskId;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  task(id: string): Promise<any> {
    return this.done("GET", `/tasks/${id}`);
  }

  /** Waits until the task is in this phase and status, such as `image/waiting`, and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async reaches(id: string, phaseAndStatus: string, longestMs?: number): Promise<any> {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    let seen: any;
    try {
      await until(async () => {
        seen = await this.task(id);
        return `${seen.type}/${seen.status}` === phaseAndStatus;
      }, longestMs);
    } catch {
      throw new Error(`${phaseAndStatus} was not reached: ${JSON.stringify(seen, null, 1)}`);
    }
    return seen;
  }

  /** Waits until the task waits for its images. */
  async parked(id: string): Promise<void> {
    await until(async () => (await this.task(id)).waitsFor?.event === "images");
  }

  upload(id: string, ...images: Buffer[]): Promise<Reply> {
    const form = new FormData();
    for (const [at, image] of images.entries())
      form.append("images", new Blob([new Uint8Array(image)]), `image ${at + 1}.png`);
    return this.ask("POST", `/tasks/${id}/images`, { body: form });
  }
}

/** Phases and states whose tally differs from the number of tasks in them. */
const MISCOUNTED = `select organization_id, tenant_id, type, state, sum(n) as difference from (
    select tenant_id, organization_id, type, state, 1 as n from task
    union all select tenant_id, organization_id, type, state, -number as n from task_tally
  ) compared group by tenant_id, organization_id, type, state having sum(n) <> 0`;

export const describeStudio = describeOnStores(StudioServer.start, async (server) => {
  expect(await server.rows(MISCOUNTED)).toEqual([]);
});

/** Executors that do nothing, for tests of the code around them. `executors` replaces some. */
export function idle(executors: Executors = {}): StudioOptions {
  return { executors: { video: async () => ({}), youtube: async () => ({}), ...executors } };
}

/** An image of one colour. */
export function png(
  width = 64,
  height = 48,
  colour: readonly [number, number, number] = [200, 80, 40],
): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

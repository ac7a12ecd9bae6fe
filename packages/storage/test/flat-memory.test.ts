import { Readable } from "node:stream";
import { openStorage, type Storage } from "@andon/storage";
import { type NodeChild, spawnNode } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFolder, openSftp, openWebdav } from "./places.ts";

const MB = 1024 * 1024;
const SIZE = 300 * MB;
/** Far above the memory of buffers and of a late garbage collection, far below the size of the file. */
const MOST_GROWTH = 150 * MB;

async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(look);
  }
  return Math.max(peak, process.memoryUsage().rss) - before;
}

async function putAndGet(storage: Storage): Promise<void> {
  const piece = Buffer.alloc(MB, "x");
  const pieces = function* () {
    for (let sent = 0; sent < SIZE; sent += MB) yield piece;
  };
  const stored = await storage.put("large", Readable.from(pieces()), { temporary: "job-1", size: SIZE });
  expect(stored.size).toBe(SIZE);
  expect(await storage.checksum("large")).toEqual(stored);
}

describe("300 MB are transferred with flat memory", () => {
  let server: NodeChild;
  beforeAll(() => {
    server = spawnNode(new URL("./s3/s3-server.fixture.ts", import.meta.url));
  });
  afterAll(() => server.kill("SIGKILL"));

  it("into a folder and out of it", async () => {
    const place = await openFolder();
    expect(await growthOf(() => putAndGet(place.storage))).toBeLessThan(MOST_GROWTH);
    await place.close();
  }, 120_000);

  it("into an SFTP server and out of it", async () => {
    const place = await openSftp();
    expect(await growthOf(() => putAndGet(place.storage))).toBeLessThan(MOST_GROWTH);
    await place.close();
  }, 120_000);

  it("into a WebDAV server and out of it", async () => {
    const place = await openWebdav();
    expect(await growthOf(() => putAndGet(place.storage))).toBeLessThan(MOST_GROWTH);
    await place.close();
  }, 120_000);

  it("into S3 and out of it", async () => {
    process.env.AWS_ACCESS_KEY_ID ??= "test";
    process.env.AWS_SECRET_ACCESS_KEY ??= "test";
    const url = (await server.waitForLine(/^http/)).trim();
    const storage = await openStorage(`s3://bytes?endpoint=${url}&region=us-east-1&forcePathStyle=true`);
    await storage.health();
    expect(await growthOf(() => putAndGet(storage))).toBeLessThan(MOST_GROWTH);
    await storage.close();
  }, 120_000);
});

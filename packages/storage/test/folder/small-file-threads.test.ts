import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { BufferedBytes, bufferIfSmall } from "@andon/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SMALL_BYTES } from "../../src/buffered-bytes.ts";
import { FolderStorage } from "../../src/folder/folder-storage.ts";
import { Root } from "../../src/folder/root.ts";
import type { RootIdentity } from "../../src/folder/root-identity.ts";
import { carryOut, type Order, type PutOrder } from "../../src/folder/small-file-steps.ts";
import { failureOf, filesIn, known, put, read } from "../bytes.ts";

const TYPESCRIPT = new URL("./typescript-threads.fixture.mjs", import.meta.url).href;
const SLOW = new URL("./slow-threads.fixture.mjs", import.meta.url).href;
const THREADS = { filesBeforeThreads: 0, execArgv: ["--import", TYPESCRIPT] };

/** A thread can be slow to start while other tests run. */
const PATIENT = { timeout: 20_000 };

let folder: string;
let root: RootIdentity;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "andon-small-files-"));
  const opened = new Root(folder, { marker: true });
  await opened.initMarker();
  await opened.check();
  root = opened.identity as RootIdentity;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const at = (path: string) => join(folder, path);
const alone = (order: Order) => carryOut([order], () => false)[0];
const putOf = (target: string, rest: Partial<PutOrder> = {}): PutOrder => ({
  kind: "put",
  root,
  temporary: at(".andon-job-1.part"),
  target: at(target),
  bytes: bytes("hello"),
  sha256: undefined,
  ...rest,
});
const putting = (target: string, rest?: Partial<PutOrder>) => alone(putOf(target, rest));
const reading = (path: string, most = SMALL_BYTES) =>
  alone({ kind: "read", root, file: at(path), most }) as Uint8Array | undefined;
const stored = { sha256: known("hello").sha256 };

// Threads inherit the environment; other test files of this process must not see it.
afterEach(() => void vi.unstubAllEnvs());

describe("the fast path of a small file", () => {
  it("stores it under its name, and leaves nothing else", async () => {
    expect(putting("x")).toEqual(stored);
    expect(Buffer.from(reading("x") ?? []).toString()).toBe("hello");
    expect((await readdir(folder)).sort()).toEqual([".andon-nas", "x"]);
  });

  it("changes nothing if the name is taken", async () => {
    await writeFile(at("x"), "another");
    expect(putting("x")).toBeUndefined();
    expect(Buffer.from(reading("x") ?? []).toString()).toBe("another");
    expect((await readdir(folder)).sort()).toEqual([".andon-nas", "x"]);
  });

  it("creates no folder", async () => {
    expect(putting("new/x")).toBeUndefined();
    expect(await readdir(folder)).toEqual([".andon-nas"]);
  });

  it("does not follow a link that leads out of the root", async () => {
    const outside = await mkdtemp(join(tmpdir(), "andon-outside-"));
    await writeFile(join(outside, "secret"), "secret");
    await symlink(outside, at("out"));
    expect(putting("out/x")).toBeUndefined();
    expect(reading("out/secret")).toBeUndefined();
    await symlink(join(outside, "secret"), at("linked"));
    expect(reading("linked")).toBeUndefined();
    expect(await readdir(outside)).toEqual(["secret"]);
    await rm(outside, { recursive: true });
  });

  it("is not used on another root than the one seen first", async () => {
    expect(putting("x", { root: { ...root, where: "another" } })).toBeUndefined();
    await rm(at(".andon-nas"));
    expect(putting("x")).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it("stores only bytes with the promised checksum", async () => {
    expect(putting("x", { sha256: known("other").sha256 })).toBeUndefined();
    expect(await readdir(folder)).toEqual([".andon-nas"]);
    expect(putting("x", stored)).toEqual(stored);
  });

  it("answers each of several orders separately", async () => {
    await mkdir(at("a"));
    await writeFile(at("a/taken"), "another");
    const file = (path: string): Order => ({ kind: "read", root, file: at(path), most: SMALL_BYTES });
    const targets = ["x", "a/taken", "absent/x", "a/x", "y"];
    const puts = targets.map((target, n) => putOf(target, { temporary: `${at(target)}.${n}.part` }));
    const answers = carryOut([...puts, file("x"), file("absent")], () => false);
    expect(answers).toEqual([stored, undefined, undefined, stored, stored, bytes("hello"), undefined]);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      [".andon-nas", "a", "a/taken", "a/x", "x", "y"].sort(),
    );
  });

  it("reads only files, completely, and none above the size limit", async () => {
    await mkdir(at("folder"));
    await writeFile(at("empty"), "");
    await writeFile(at("six"), "123456");
    expect(["folder", "absent"].map((path) => reading(path))).toEqual([undefined, undefined]);
    expect(reading("empty")).toEqual(new Uint8Array(0));
    expect([reading("six", 5), reading("six", 6)?.length]).toEqual([undefined, 6]);
  });
});

describe("a folder with threads", () => {
  let storage: FolderStorage;
  beforeEach(async () => {
    storage = await FolderStorage.open(folder, { marker: true, smallFiles: THREADS });
    await storage.health();
  });
  afterEach(() => storage.close());

  const inHand = (path: string, text: string, temporary: string) =>
    storage.put(path, new BufferedBytes(bytes(text)), { ...known(text), temporary });

  it("stores and reads small files as it would without them", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `file-${n}`);
    const stored = await Promise.all(names.map((name) => inHand(name, name, `job-${name}-1`)));
    expect(stored).toEqual(names.map(known));
    expect(await Promise.all(names.map((name) => read(storage, name)))).toEqual(names);
    expect(await filesIn(storage)).toEqual([...names].sort());
    const { stream, size, length } = await storage.get("file-1");
    expect([stream instanceof BufferedBytes, size, length]).toEqual([true, 6, 6]);
  });

  it("takes the ordinary way if the fast path cannot be used", async () => {
    expect(await inHand("deep/below/x", "hello", "job-1")).toEqual(known("hello"));
    expect(await inHand("deep/below/x", "hello", "job-2")).toEqual(known("hello"));
    expect(await failureOf(inHand("deep/below/x", "other", "job-3"))).toMatchObject({
      code: "TARGET_EXISTS",
    });
    const promised = { size: 5, sha256: known("hello").sha256, temporary: "job-4" };
    expect(await failureOf(storage.put("y", new BufferedBytes(bytes("HELLO")), promised))).toMatchObject({
      code: "CHECKSUM_MISMATCH",
    });
    await rm(at(".andon-nas"));
    expect(await failureOf(inHand("z", "hello", "job-5"))).toMatchObject({ code: "NOT_MOUNTED" });
  });

  describe("of a place that hangs", () => {
    const started = () => readFile(syncs, "utf8").catch(() => "");
    let syncs: string;
    let hanging: FolderStorage;
    beforeEach(async () => {
      syncs = join(await mkdtemp(join(tmpdir(), "andon-syncs-")), "threads");
      vi.stubEnv("ANDON_TEST_SYNCS", syncs);
      vi.stubEnv("ANDON_TEST_SYNC_MS", "400");
      hanging = await FolderStorage.open(folder, {
        marker: true,
        smallFiles: { ...THREADS, execArgv: [...THREADS.execArgv, "--import", SLOW] },
      });
      await hanging.health();
    });
    afterEach(async () => {
      await hanging.close();
      await rm(dirname(syncs), { recursive: true });
    });

    const putUntil = (name: string, signal: AbortSignal) =>
      failureOf(hanging.put(name, new BufferedBytes(bytes("x")), { temporary: `${name}-1`, signal }));

    it("gives no final name to a file whose put was aborted under way", async () => {
      const lost = new AbortController();
      const putting = putUntil("late", lost.signal);
      await expect.poll(() => readdir(folder), PATIENT).toContainEqual(expect.stringContaining("late-1"));
      lost.abort(new Error("lease lost"));
      expect(await putting).toMatchObject({ message: "lease lost" });
      expect(await readdir(folder)).toEqual([".andon-nas"]);
    });

    it("is never sent an order that was aborted while it waited", async () => {
      const first = hanging.put("first", new BufferedBytes(bytes("x")), { temporary: "first-1" });
      const lost = new AbortController();
      const putting = putUntil("late", lost.signal);
      lost.abort(new Error("lease lost"));
      expect(await putting).toMatchObject({ message: "lease lost" });
      expect(await started()).toBe("");
      expect(await first).toEqual(known("x"));
      expect(await readdir(folder)).toEqual([".andon-nas", "first"]);
    });

    it("skips an order that is aborted while it waits in the thread behind another", async () => {
      const first = hanging.put("first", new BufferedBytes(bytes("x")), { temporary: "first-1" });
      const second = hanging.put("second", new BufferedBytes(bytes("x")), { temporary: "second-1" });
      const lost = new AbortController();
      const putting = putUntil("third", lost.signal);
      await first;
      lost.abort(new Error("lease lost"));
      expect(await putting).toMatchObject({ message: "lease lost" });
      expect(await second).toEqual(known("x"));
      expect((await readdir(folder)).sort()).toEqual([".andon-nas", "first", "second"]);
    });

    it("is closed without waiting for an order that hangs", async () => {
      const pipe = join(dirname(syncs), "pipe");
      execFileSync("mkfifo", [pipe]);
      vi.stubEnv("ANDON_TEST_PIPE", pipe);
      const putting = hanging.put("first", new BufferedBytes(bytes("x")), { temporary: "first-1" });
      await expect.poll(() => readdir(folder), PATIENT).toContainEqual(expect.stringContaining("first-1"));
      const since = performance.now();
      await hanging.close();
      expect(performance.now() - since).toBeLessThan(3_000);
      // `r+` opens the pipe without waiting for a reader, in case the thread ended before it opened the pipe.
      const writer = await open(pipe, "r+");
      expect(await putting).toEqual(known("x"));
      await writer.close();
    });
  });

  it("uses several threads at the same time for a slow place", async () => {
    const syncs = join(await mkdtemp(join(tmpdir(), "andon-syncs-")), "threads");
    vi.stubEnv("ANDON_TEST_SYNCS", syncs);
    const slow = await FolderStorage.open(folder, {
      marker: true,
      smallFiles: { ...THREADS, execArgv: [...THREADS.execArgv, "--import", SLOW] },
    });
    await slow.health();
    const putOne = (n: number) =>
      slow.put(`slow-${n}`, new BufferedBytes(bytes("x")), { temporary: `slow-${n}-1` });
    await putOne(0);
    const puts = [];
    for (let n = 1; n <= 20; n++) {
      puts.push(putOne(n));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await Promise.all(puts)).toEqual(puts.map(() => known("x")));
    const threads = new Set((await readFile(syncs, "utf8")).trim().split("\n"));
    expect(threads.size).toBeGreaterThan(1);
    expect(threads.size).toBeLessThanOrEqual(8);
    await slow.close();
    await rm(dirname(syncs), { recursive: true });
  });

  it("always takes the ordinary way if threads cannot run", async () => {
    const broken = await FolderStorage.open(folder, {
      marker: true,
      smallFiles: { filesBeforeThreads: 0, execArgv: ["--import", "data:text/javascript,throw 1"] },
    });
    await broken.health();
    for (const name of ["a", "b", "c"]) expect(await put(broken, name, name)).toEqual(known(name));
    expect(await broken.put("d", new BufferedBytes(bytes("d")), { temporary: "d-1" })).toEqual(known("d"));
    expect(await read(broken, "d")).toBe("d");
    await broken.close();
  });
});

describe("buffered bytes", () => {
  it("contain a short source completely; a longer source loses nothing", async () => {
    const pieces = (count: number) => Readable.from(Array(count).fill(Buffer.alloc(SMALL_BYTES / 4, 7)));
    const small = await bufferIfSmall(pieces(4));
    expect(small).toBeInstanceOf(BufferedBytes);
    expect((await buffer(small)).length).toBe(SMALL_BYTES);
    const large = await bufferIfSmall(pieces(6));
    expect(large).not.toBeInstanceOf(BufferedBytes);
    expect((await buffer(large)).length).toBe(SMALL_BYTES * 1.5);
  });

  it("fail as their source does", async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("a");
        throw new Error("cut");
      })(),
    );
    await expect(bufferIfSmall(broken)).rejects.toThrow("cut");
  });

  it("report a failed source to a later reader, and do not end the process", async () => {
    const source = new PassThrough();
    source.write(Buffer.alloc(SMALL_BYTES + 1));
    const large = await bufferIfSmall(source);
    source.destroy(new Error("cut"));
    // An unhandled error would have ended the process by now.
    await setImmediate();
    await expect(buffer(large)).rejects.toThrow("cut");
  });
});

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SftpStorage } from "../../src/sftp/sftp-storage.ts";
import { parseSftpUrl } from "../../src/sftp/sftp-url.ts";
import { failureOf, filesIn, halting, known, listed, put, read } from "../bytes.ts";
import { openSftp, type SftpPlace } from "../places.ts";

const MB = 1024 * 1024;

let place: SftpPlace;
beforeEach(async () => {
  place = await openSftp();
});
afterEach(() => place.close());

/** The same place, with shorter timeouts. */
function impatient(limits: { silenceMs?: number; abortedMs?: number }): SftpStorage {
  return new SftpStorage(parseSftpUrl(place.server.url), { marker: true, limits });
}

describe("an SFTP server that goes away", () => {
  it("cannot be reached, and is used again when it is back", async () => {
    const { storage, server } = place;
    await put(storage, "x", "hello");
    await server.kill();
    const away = { code: "UNREACHABLE", fault: "destination" };
    expect(await failureOf(put(storage, "y", "hello"))).toMatchObject(away);
    expect(await failureOf(storage.stat("x"))).toMatchObject(away);
    expect(await failureOf(storage.get("x"))).toMatchObject(away);
    expect(await failureOf(listed(storage))).toMatchObject(away);
    expect(await storage.health()).toMatchObject({ ok: false, problem: away });
    await server.restart();
    expect(await storage.health()).toEqual({ ok: true });
    expect(await put(storage, "y", "hello")).toEqual(known("hello"));
  });

  it("in the middle of a put leaves no file under its name, and the next claim stores it", async () => {
    const { storage, server } = place;
    const [first, rest] = [Buffer.alloc(MB, "a"), Buffer.alloc(MB, "b")];
    const { source, half, goOn } = halting(first, rest);
    const done = storage.put("files/x", source, { temporary: "job-1" });
    done.catch(() => {});
    await half;
    const unfinished = join(server.folder, "files/.andon-job-1.part");
    await vi.waitFor(() => expect(existsSync(unfinished)).toBe(true), 45_000);
    await server.kill();
    goOn();
    expect(await failureOf(done)).toMatchObject({ code: "UNREACHABLE", fault: "destination" });
    expect(readdirSync(join(server.folder, "files"))).toEqual([".andon-job-1.part"]);
    await server.restart();
    await storage.removeTemporaries("files/x", "job-2");
    await put(storage, "files/x", Buffer.concat([first, rest]), "job-2");
    expect(await filesIn(storage)).toEqual(["files/x"]);
  });

  it("in the middle of a read fails it rather than end it early", async () => {
    const { storage, server } = place;
    await put(storage, "x", Buffer.alloc(8 * MB));
    const { stream } = await storage.get("x");
    const reading = stream[Symbol.asyncIterator]();
    await reading.next();
    await server.kill();
    const rest = async () => {
      for (;;) if ((await reading.next()).done) return;
    };
    expect(await failureOf(rest())).toMatchObject({ code: "UNREACHABLE", fault: "destination" });
  });

  it("silently is reported as timed out", async () => {
    const storage = impatient({ silenceMs: 3_000 });
    await put(storage, "x", "hello");
    await place.server.freeze();
    expect(await failureOf(storage.stat("x"))).toMatchObject({ code: "TIMED_OUT", fault: "destination" });
    place.server.thaw();
    expect(await read(storage, "x")).toBe("hello");
    await storage.close();
  });

  it("silently does not delay closing the storage", async () => {
    await place.server.freeze();
    const storage = impatient({});
    const asked = storage.stat("x");
    asked.catch(() => {});
    await storage.close();
    expect(await failureOf(asked)).toMatchObject({ code: "UNREACHABLE" });
  });

  it("silently does not delay a put that was aborted", async () => {
    const storage = impatient({ abortedMs: 100 });
    const { source, half } = halting(Buffer.alloc(MB), Buffer.alloc(MB));
    const abort = new AbortController();
    const done = storage.put("x", source, { temporary: "job-1", signal: abort.signal });
    await half;
    await place.server.freeze();
    const reason = new Error("enough");
    abort.abort(reason);
    expect(await failureOf(done)).toBe(reason);
    place.server.thaw();
    expect(await storage.stat("x")).toBeUndefined();
    await storage.close();
  });
});

describe("a claim that was lost", () => {
  it("cannot finish its put after the next claim removed its temporary", async () => {
    const { storage } = place;
    const { source, half, goOn } = halting(Buffer.from("old "), Buffer.from("bytes"));
    const late = storage.put("x", source, { temporary: "job-1" });
    await half;
    await vi.waitFor(() => expect(readdirSync(place.server.folder)).toContain(".andon-job-1.part"), 45_000);
    await storage.removeTemporaries("x", "job-2");
    goOn();
    expect(await failureOf(late)).toMatchObject({ code: "TEMPORARY_GONE", fault: "file" });
    expect(await filesIn(storage)).toEqual([]);
  });
});

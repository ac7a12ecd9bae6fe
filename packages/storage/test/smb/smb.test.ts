import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { spawnNode, until } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, filesIn, gate, put, read } from "../bytes.ts";
import { canMount, mountTmpfs } from "../folder/mount.ts";
import { openSmb, type SmbPlace } from "../places.ts";

const MB = 1024 * 1024;
const PUTTING = new URL("./putting.fixture.ts", import.meta.url);

/** smbclient buffers some mebibytes before it sends anything. */
const FIRST = 24 * MB;

/** A source that pauses before its last byte until `goOn` is called. */
function stalled() {
  const goOn = gate();
  const pieces = async function* () {
    for (let sent = 0; sent < FIRST; sent += MB) yield Buffer.alloc(MB, "x");
    await goOn.opened;
    yield Buffer.from("x");
  };
  return { source: Readable.from(pieces()), goOn: goOn.open };
}

describe("over SMB", () => {
  let place: SmbPlace;
  beforeAll(async () => {
    place = await openSmb();
  });
  afterAll(() => place?.close());
  const names = () => readdirSync(join(place.folder, "files")).sort();
  const temporary = () => join(place.folder, "files/.andon-job-1.part");
  /** Waits until some bytes of an upload have reached the server. */
  const untilUnderWay = () =>
    until(async () => (statSync(temporary(), { throwIfNoEntry: false })?.size ?? 0) > 0);
  const finish = async () => {
    await place.storage.removeTemporaries("files/x", "job-2");
    await put(place.storage, "files/x", "whole", "job-2");
    expect(await filesIn(place.storage)).toEqual(["files/x"]);
    await place.storage.remove("files/x");
  };

  it("a process that is killed in the middle of a put leaves its temporary, which the next claim removes", async () => {
    const child = spawnNode(PUTTING, [place.url]);
    await child.waitForLine("half", 60_000);
    await untilUnderWay();
    await child.kill("SIGKILL");
    expect(names()).toEqual([".andon-job-1.part"]);
    await finish();
  });

  it("a server that is killed in the middle of a put leaves no file under its name, and is used again after a restart", async () => {
    const { source, goOn } = stalled();
    const done = failureOf(place.storage.put("files/x", source, { temporary: "job-1" }));
    await untilUnderWay();
    await place.server.kill();
    goOn();
    expect(await done).toMatchObject({ code: "UNREACHABLE", fault: "destination" });
    expect(names()).toEqual([".andon-job-1.part"]);
    const away = await place.storage.health();
    expect(away).toMatchObject({ ok: false, problem: { code: "UNREACHABLE" } });
    expect(await failureOf(place.storage.stat("files/x"))).toMatchObject({ code: "UNREACHABLE" });
    await place.server.restart();
    expect(await place.storage.health()).toEqual({ ok: true });
    await finish();
  });

  it("an abort in the middle ends the transfer and leaves nothing", async () => {
    const abort = new AbortController();
    const { source } = stalled();
    const options = { temporary: "job-1", signal: abort.signal };
    const done = failureOf(place.storage.put("files/x", source, options));
    await untilUnderWay();
    const reason = new Error("enough");
    abort.abort(reason);
    expect(await done).toBe(reason);
    await expect.poll(names).toEqual([]);
  });

  it("an unfinished file that is still being written is in use for the next claim, which cannot remove it", async () => {
    const { source, goOn } = stalled();
    const late = place.storage.put("files/x", source, { temporary: "job-1" });
    await untilUnderWay();
    expect(await failureOf(place.storage.removeTemporaries("files/x", "job-2"))).toMatchObject({
      code: "IN_USE",
      fault: "file",
    });
    goOn();
    await late;
    expect(await filesIn(place.storage)).toEqual(["files/x"]);
    await place.storage.remove("files/x");
  });

  it("a temporary file that was removed never gets its final name", async () => {
    const { source, goOn } = stalled();
    const late = place.storage.put("files/x", source, { temporary: "job-1" });
    await untilUnderWay();
    rmSync(temporary());
    goOn();
    expect(await failureOf(late)).toMatchObject({ code: "TEMPORARY_GONE", fault: "file" });
    expect(names()).toEqual([]);
  });

  it("a server that was restarted is used again at once", async () => {
    const three = ["a-1", "b-1", "c-1"];
    await Promise.all(
      three.map((temporary) => put(place.storage, `files/${temporary}`, "before", temporary)),
    );
    await place.server.kill();
    await place.server.restart();
    const found = await Promise.all(three.map((name) => read(place.storage, `files/${name}`)));
    expect(found).toEqual(["before", "before", "before"]);
    for (const name of three) await place.storage.remove(`files/${name}`);
  });

  it("a file is found without regard to case, and a folder can be renamed to another case", async () => {
    await put(place.storage, "files/Photo.JPG", "hello");
    expect(await place.storage.stat("files/photo.jpg")).toMatchObject({ kind: "file", size: 5 });
    expect(await failureOf(put(place.storage, "files/PHOTO.jpg", "other"))).toMatchObject({
      code: "TARGET_EXISTS",
    });
    await place.storage.makeFolder("Folder");
    await place.storage.moveFolder("Folder", "folder");
    expect(readdirSync(place.folder).sort()).toEqual([".andon-nas", "files", "folder"]);
    await place.storage.remove("files/photo.JPG");
    await place.storage.removeFolderIfEmpty("FOLDER");
    expect(await filesIn(place.storage)).toEqual([]);
  });

  it.skipIf(!canMount)("a full disk leaves nothing under a file's name", async () => {
    const folder = join(place.folder, "small");
    mkdirSync(folder);
    const unmount = mountTmpfs(folder, "2m");
    try {
      chmodSync(folder, 0o777);
      for (const size of [32 * MB, MB]) {
        writeFileSync(join(folder, "in-the-way"), Buffer.alloc(size === MB ? 1.5 * MB : 1));
        const stored = put(place.storage, "small/x", Buffer.alloc(size, "x"));
        expect(await failureOf(stored)).toMatchObject({ code: "FULL", fault: "destination" });
        expect(readdirSync(folder)).toEqual(["in-the-way"]);
      }
    } finally {
      unmount();
    }
    await place.storage.removeFolderIfEmpty("small");
  });

  it("an operation on a server that hangs ends when its signal aborts", async () => {
    await put(place.storage, "files/x", "before");
    place.server.freeze();
    const abort = new AbortController();
    const done = failureOf(place.storage.move("files/x", "files/y", { size: 6 }, abort.signal));
    const reason = new Error("enough");
    setImmediate(() => abort.abort(reason));
    expect(await done).toBe(reason);
    place.server.thaw();
    await place.storage.remove("files/x");
  });
});

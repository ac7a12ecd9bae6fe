import { link, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { spawnNode } from "@andon/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, filesIn, gate, known, listed, put, read } from "../bytes.ts";
import { type FolderPlace, openFolder } from "../places.ts";
import { contentOf } from "./crash-content.ts";

const PUTTING = new URL("./putting.fixture.ts", import.meta.url);

describe("a put that is killed", () => {
  let place: FolderPlace;
  beforeEach(async () => {
    place = await openFolder();
  });
  afterEach(() => place.close());

  it("in the middle leaves no file under its name, and the next claim cleans up and stores it", async () => {
    const child = spawnNode(PUTTING, [place.folder, "7", "stall"]);
    await child.waitForLine("half");
    await child.kill("SIGKILL");
    expect(await filesIn(place.storage)).toEqual(["files/.andon-job7-1.part"]);
    await place.storage.removeTemporaries("files/7", "job7-2");
    await put(place.storage, "files/7", contentOf(7), "job7-2");
    expect(await filesIn(place.storage)).toEqual(["files/7"]);
  });

  it("at any point leaves only complete files, and every file that was reported", async () => {
    let reported = -1;
    for (let round = 0; round < 6; round++) {
      const child = spawnNode(PUTTING, [place.folder, String(reported + 1)]);
      // Each round kills at another point of a later put: the child continues while its line is read.
      await child.waitForLine(`stored ${reported + 3 + round}`);
      await child.kill("SIGKILL");
      reported = Math.max(
        ...[...child.stdout.matchAll(/stored (\d+)\n/g)].map(([, number]) => Number(number)),
      );
      const files = (await listed(place.storage)).filter(({ kind }) => kind === "file");
      for (const { path } of files) {
        expect(await place.storage.checksum(path)).toEqual(
          known(contentOf(Number(path.slice("files/".length)))),
        );
      }
      expect(files.length).toBeGreaterThanOrEqual(reported + 1);
    }
    const next = reported + 1;
    await place.storage.removeTemporaries(`files/${next}`, `job${next}-2`);
    await put(place.storage, `files/${next}`, contentOf(next), `job${next}-2`);
    expect((await filesIn(place.storage)).filter((path) => path.includes(`job${next}-`))).toEqual([]);
  }, 60_000);

  it("between its last two steps is finished by the next claim", async () => {
    await mkdir(join(place.folder, "files"));
    await writeFile(join(place.folder, "files/.andon-job-1.part"), "hello");
    await link(join(place.folder, "files/.andon-job-1.part"), join(place.folder, "files/x"));
    await place.storage.removeTemporaries("files/x", "job-2");
    await put(place.storage, "files/x", "hello", "job-2");
    expect(await filesIn(place.storage)).toEqual(["files/x"]);
  });
});

describe("a claim that was lost", () => {
  let place: FolderPlace;
  beforeEach(async () => {
    place = await openFolder();
  });
  afterEach(() => place.close());

  it("cannot finish its put after the next claim removed its temporary", async () => {
    const [half, goOn] = [gate(), gate()];
    const pieces = async function* () {
      yield Buffer.from("old ");
      half.open();
      await goOn.opened;
      yield Buffer.from("bytes");
    };
    const late = place.storage.put("x", Readable.from(pieces()), { temporary: "job-1" });
    await half.opened;
    await place.storage.removeTemporaries("x", "job-2");
    goOn.open();
    expect(await failureOf(late)).toMatchObject({ code: "TEMPORARY_GONE", fault: "file" });
    expect(await filesIn(place.storage)).toEqual([]);
  });

  it("loses only the temporary files of its own job, and no later claim loses one", async () => {
    for (const name of ["job-1", "job-12", "job-13", "job-2-1", "other-1", "job-x"]) {
      await writeFile(join(place.folder, `.andon-${name}.part`), "");
    }
    await place.storage.removeTemporaries("x", "job-12");
    expect(await filesIn(place.storage)).toEqual([
      ".andon-job-12.part",
      ".andon-job-13.part",
      ".andon-job-2-1.part",
      ".andon-job-x.part",
      ".andon-other-1.part",
    ]);
  });
});

describe("a move that was killed between its two steps", () => {
  it("is finished by the next run", async () => {
    const place = await openFolder();
    await put(place.storage, "from/x", "hello");
    await mkdir(join(place.folder, "to"));
    await link(join(place.folder, "from/x"), join(place.folder, "to/y"));
    await place.storage.move("from/x", "to/y", known("hello"));
    expect(await filesIn(place.storage)).toEqual(["to/y"]);
    expect(await read(place.storage, "to/y")).toBe("hello");
    expect(await readFile(join(place.folder, "to/y"), "utf8")).toBe("hello");
    await place.close();
  });
});

import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { failureOf, filesIn, known, put, read } from "../bytes.ts";
import { openSmb, type SmbPlace } from "../places.ts";

const RAN = "ran-by-smbclient";
const COMMAND = `!touch ${RAN}`;

/** Names that, without the right quoting, would end a word or a command, match other files, or be an option. */
const HOSTILE = [
  `x"\n${COMMAND}\n`,
  `\n${COMMAND}`,
  `\r${COMMAND}`,
  `x" ; ${COMMAND}`,
  '" bystander "',
  'x" "bystander',
  "*",
  "?ystander",
  "bystander\0",
  "<",
  '>"',
  "bystander:stream",
  "a\\..\\bystander",
  "..\\bystander",
  "\\bystander",
  "|sh",
];

const ODD = [
  "!",
  ";",
  "'",
  "`",
  "$",
  "%",
  "-",
  "~",
  "#",
  "&",
  "=",
  " ",
  ".",
  "(",
  "a",
  "B",
  "가",
  "é",
  "\u{1f642}",
];

/** Whether smbclient ran a program: the file would appear in its working folder or in ours. */
function hasRun(): boolean {
  const homes = readdirSync(tmpdir()).filter((name) => name.startsWith("andon-smb-"));
  return [process.cwd(), ...homes.map((name) => join(tmpdir(), name))].some((folder) =>
    existsSync(join(folder, RAN)),
  );
}

describe("over SMB", () => {
  let place: SmbPlace;
  beforeAll(async () => {
    place = await openSmb();
  });
  afterAll(() => place?.close());
  beforeEach(async () => {
    await put(place.storage, "bystander", "untouched");
  });

  it.each(HOSTILE)("a name runs nothing and means no other file (%j)", async (name) => {
    const { storage } = place;
    const refused = { code: "NAME_REFUSED", fault: "file" };
    const whole = known("untouched");
    for (const path of [name, `folder/${name}`, `${name}/x`]) {
      expect(await failureOf(put(storage, path, "x"))).toMatchObject(refused);
      expect(await failureOf(storage.get(path))).toMatchObject(refused);
      expect(await failureOf(storage.stat(path))).toMatchObject(refused);
      expect(await failureOf(storage.move("bystander", path, whole))).toMatchObject(refused);
      expect(await failureOf(storage.move(path, "taken", whole))).toMatchObject(refused);
      expect(await failureOf(storage.remove(path))).toMatchObject(refused);
      expect(await failureOf(storage.makeFolder(path))).toMatchObject(refused);
      expect(await failureOf(storage.removeFolderIfEmpty(path))).toMatchObject(refused);
      expect(await failureOf(storage.removeTemporaries(path, "job-2"))).toMatchObject(refused);
      expect(await failureOf(filesIn(storage, path))).toMatchObject(refused);
    }
    expect(await read(storage, "bystander")).toBe("untouched");
    expect(await filesIn(storage)).toEqual(["bystander"]);
    expect(hasRun()).toBe(false);
  });

  it("a name of any characters is stored unchanged or refused", async () => {
    const names = fc.string({ unit: fc.constantFrom(...ODD), minLength: 1, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(names, names, async (name, folder) => {
        const { storage } = place;
        const path = `odd/${folder}/${name}`;
        const { code } = await failureOf(put(storage, path, name));
        expect([undefined, "NAME_REFUSED"]).toContain(code);
        if (code === undefined) {
          expect(readFileSync(join(place.folder, path), "utf8")).toBe(name);
          expect(await read(storage, path)).toBe(name);
          await storage.remove(path);
        }
        expect(await filesIn(storage)).toEqual(["bystander"]);
        await storage.removeFolderIfEmpty(`odd/${folder}`, { upwards: true }).catch(() => {});
      }),
      { numRuns: 60 },
    );
    expect(hasRun()).toBe(false);
  });

  it("the bytes of a file whose upload fails are not read as commands", async () => {
    const lines = Buffer.from(`${COMMAND}\n`.repeat(100_000));
    const pieces = () => Readable.from([lines, lines, lines, lines]);
    const folder = join(place.folder, "closed; !touch x");
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    if (process.getuid?.() === 0) chownSync(folder, 0, 0);
    const denied = place.storage.put("closed; !touch x/big", pieces(), { temporary: "job-1" });
    expect(await failureOf(denied)).toMatchObject({ code: "DENIED", fault: "file" });
    expect(hasRun()).toBe(false);
    chmodSync(folder, 0o777);
    await place.storage.put("closed; !touch x/big", pieces(), { temporary: "job-1" });
    expect(readFileSync(join(folder, "big"))).toHaveLength(4 * lines.length);
    expect(readdirSync(place.folder).sort()).toEqual([".andon-nas", "bystander", "closed; !touch x"]);
    expect(hasRun()).toBe(false);
  });
});

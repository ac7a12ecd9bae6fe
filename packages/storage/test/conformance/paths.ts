import { describe, expect, it } from "vitest";
import { failureOf, filesIn, known, put, read } from "../bytes.ts";
import type { Ground } from "./ground.ts";

const OUT_OF_THE_ROOT = ["..", "../x", "a/../../x", "a/..", "./x", "/etc/passwd", "a//b", "a/", "a/\0b"];
const NOT_TO_WRITE = [
  "a\\b",
  "a/\u0007",
  "\u202egpj.exe",
  " ",
  "x".repeat(256),
  ".andon-job-1.part",
  ".andon-nas",
];

const UNUSUAL = [
  "보고서 (최종).pdf",
  "a b#c%20&d+e=f.txt",
  " a'b",
  "🙂👩‍👩‍👧.png",
  "-rf",
  "!sh;echo `x` $(x)",
  "%2e%2e",
  "~",
];
const NOT_ON_WINDOWS = [" a b ", "a?b", "a:b*c|d<e>\"f'.txt", "a.", "con.txt", "NUL"];

export function describePaths({ storage, home, at, windowsNames }: Ground): void {
  const refused = { code: "NAME_REFUSED", fault: "file" };

  describe("paths", () => {
    it.each(OUT_OF_THE_ROOT)("that leave the root or are malformed are always refused (%j)", async (path) => {
      const whole = known("x");
      await put(storage(), at("x"), "x");
      expect(await failureOf(put(storage(), path, "x"))).toMatchObject(refused);
      expect(await failureOf(storage().get(path))).toMatchObject(refused);
      expect(await failureOf(storage().stat(path))).toMatchObject(refused);
      expect(await failureOf(storage().checksum(path))).toMatchObject(refused);
      expect(await failureOf(storage().move(path, at("y"), whole))).toMatchObject(refused);
      expect(await failureOf(storage().move(at("x"), path, whole))).toMatchObject(refused);
      expect(await failureOf(storage().remove(path))).toMatchObject(refused);
      expect(await failureOf(storage().makeFolder(path))).toMatchObject(refused);
      expect(await failureOf(storage().moveFolder(path, at("y")))).toMatchObject(refused);
      expect(await failureOf(storage().removeFolderIfEmpty(path))).toMatchObject(refused);
      expect(await failureOf(storage().removeTemporaries(path, "job-1"))).toMatchObject(refused);
      expect(await failureOf(filesBelow(path))).toMatchObject(refused);
    });

    it("that mean the root are neither written nor removed", async () => {
      await put(storage(), at("x"), "x");
      expect(await failureOf(put(storage(), "", "x"))).toMatchObject(refused);
      expect(await failureOf(storage().move(at("x"), "", known("x")))).toMatchObject(refused);
      expect(await failureOf(storage().remove(""))).toMatchObject(refused);
      expect(await failureOf(storage().moveFolder("", at("y")))).toMatchObject(refused);
      expect(await failureOf(storage().get(""))).toMatchObject({ code: "NOT_A_FILE" });
      expect(await read(storage(), at("x"))).toBe("x");
    });

    it.each(NOT_TO_WRITE)("with a reserved or dangerous name are not written (%j)", async (path) => {
      await put(storage(), at("x"), "x");
      const before = await namesInRoot();
      expect(await failureOf(put(storage(), path, "x"))).toMatchObject(refused);
      expect(await failureOf(storage().move(at("x"), path, known("x")))).toMatchObject(refused);
      expect(await failureOf(storage().makeFolder(path))).toMatchObject(refused);
      expect(await namesInRoot()).toEqual(before);
    });

    it("are written in NFC only, so that one name is one file", async () => {
      const name = "각하.txt";
      await put(storage(), at(name.normalize("NFC")), "x");
      expect(await failureOf(put(storage(), at(name.normalize("NFD")), "y"))).toMatchObject(refused);
      expect(await read(storage(), at(name.normalize("NFC")))).toBe("x");
    });

    it.each(windowsNames ? UNUSUAL : [...UNUSUAL, ...NOT_ON_WINDOWS])("can be unusual (%j)", async (name) => {
      await put(storage(), at(name), name);
      await storage().move(at(name), at(`moved/${name}`), known(name));
      expect(await read(storage(), at(`moved/${name}`))).toBe(name);
      expect((await filesIn(storage(), home())).includes(at(`moved/${name}`))).toBe(true);
    });

    if (windowsNames)
      it.each(NOT_ON_WINDOWS)("that Windows refuses are not written (%j)", async (name) => {
        await put(storage(), at("x"), "x");
        expect(await failureOf(put(storage(), at(name), "x"))).toMatchObject(refused);
        expect(await failureOf(storage().move(at("x"), at(name), known("x")))).toMatchObject(refused);
        expect(await failureOf(storage().makeFolder(at(`${name}/folder`)))).toMatchObject(refused);
        expect(await failureOf(storage().moveFolder(at("x"), at(name)))).toMatchObject(refused);
        expect(await filesIn(storage(), home())).toEqual([at("x")]);
      });

    it("can contain a name of 255 bytes", async () => {
      const name = "가".repeat(85);
      await put(storage(), at(name), "x");
      expect(await read(storage(), at(name))).toBe("x");
    });
  });

  async function namesInRoot(): Promise<string[]> {
    const names = [];
    for await (const { path } of storage().list("")) names.push(path);
    return names.sort();
  }

  async function filesBelow(path: string): Promise<void> {
    for await (const _ of storage().list(path));
  }
}

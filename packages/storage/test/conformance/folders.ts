import { describe, expect, it } from "vitest";
import { failureOf, listed, put } from "../bytes.ts";
import type { Ground } from "./ground.ts";

export function describeFolders({ storage, home, at }: Ground): void {
  const kindOf = async (path: string) => (await storage().stat(at(path)))?.kind;

  describe("folders", () => {
    it("are created with their parents, and creating them again succeeds", async () => {
      for (let run = 0; run < 2; run++) await storage().makeFolder(at("a/b/c"));
      expect(await kindOf("a/b/c")).toBe("folder");
    });

    it("move when empty, and moving them again succeeds", async () => {
      await storage().makeFolder(at("old"));
      for (let run = 0; run < 2; run++) await storage().moveFolder(at("old"), at("trash/123"));
      expect([await kindOf("old"), await kindOf("trash/123")]).toEqual([undefined, "folder"]);
    });

    it("can replace an empty folder, and nothing else", async () => {
      await storage().makeFolder(at("old"));
      await storage().makeFolder(at("empty"));
      await storage().moveFolder(at("old"), at("empty"));
      await storage().makeFolder(at("old"));
      await put(storage(), at("used/x"), "x");
      await put(storage(), at("file"), "x");
      for (const target of ["used", "file"]) {
        const moved = storage().moveFolder(at("old"), at(target));
        expect(await failureOf(moved)).toMatchObject({ code: "TARGET_EXISTS" });
      }
      expect(await kindOf("old")).toBe("folder");
    });

    // Where folders are implied, as on S3, a file and a folder can have the same name, and neither replaces the other.
    it("are never replaced by a file, not even when they are empty", async () => {
      const { folders } = await storage().capabilities();
      const code = folders === "real" ? "TARGET_EXISTS" : undefined;
      const taken = [at("taken-by-move"), at("taken-by-put")] as const;
      for (const path of taken) await storage().makeFolder(path);
      await put(storage(), at("source"), "x");
      const moved = await failureOf(storage().move(at("source"), taken[0], { size: 1 }));
      const stored = await failureOf(put(storage(), taken[1], "x"));
      expect([moved.code, stored.code]).toEqual([code, code]);
      const entries = await listed(storage(), home());
      expect(entries.filter(({ kind }) => kind === "folder").map(({ path }) => path)).toEqual(taken);
      expect(entries.some(({ path }) => path === at("source"))).toBe(folders === "real");
    });

    it("are neither moved nor removed while something is in them", async () => {
      await put(storage(), at("old/x"), "x");
      expect(await failureOf(storage().moveFolder(at("old"), at("new")))).toMatchObject({
        code: "FOLDER_NOT_EMPTY",
      });
      expect(await storage().removeFolderIfEmpty(at("old"))).toBe(false);
      expect(await kindOf("old/x")).toBe("file");
    });

    it("cannot be moved when they do not exist", async () => {
      expect(await failureOf(storage().moveFolder(at("none"), at("new")))).toMatchObject({
        code: "SOURCE_MISSING",
      });
    });

    it("are removed when empty, upwards to the first that is not empty", async () => {
      await put(storage(), at("keep/x"), "x");
      await storage().makeFolder(at("keep/a/b/c"));
      for (let run = 0; run < 2; run++) {
        expect(await storage().removeFolderIfEmpty(at("keep/a/b/c"), { upwards: true })).toBe(true);
      }
      expect([await kindOf("keep/a"), await kindOf("keep/x")]).toEqual([undefined, "file"]);
    });

    it("are created again by a put while another caller prunes them", async () => {
      const rounds = Array.from({ length: 20 }, (_, index) => index);
      for (const round of rounds) {
        const path = at(`busy/deep/${round}`);
        const prunes = [1, 2, 3].map(() => storage().removeFolderIfEmpty(at("busy/deep"), { upwards: true }));
        await Promise.all([put(storage(), path, "x"), ...prunes]);
        expect(await storage().stat(path)).toMatchObject({ kind: "file" });
        await storage().remove(path);
      }
    });

    it("are removed upwards, but never the root", async () => {
      expect(await storage().removeFolderIfEmpty("", { upwards: true })).toBe(false);
    });
  });
}

import { describe, expect, it } from "vitest";
import { failureOf, filesIn, known, put, read } from "../bytes.ts";
import type { Ground } from "./ground.ts";

export function describeMoving({ storage, home, at }: Ground): void {
  describe("move", () => {
    it("moves a file, creates the folders of the target, and succeeds when repeated", async () => {
      await put(storage(), at("from/x"), "hello");
      for (let run = 0; run < 2; run++) await storage().move(at("from/x"), at("to/new/y"), known("hello"));
      expect(await read(storage(), at("to/new/y"))).toBe("hello");
      expect(await storage().stat(at("from/x"))).toBeUndefined();
    });

    it("needs no checksum to move: after a crash, the size identifies the moved file", async () => {
      await put(storage(), at("x"), "hello");
      for (let run = 0; run < 2; run++) await storage().move(at("x"), at("y"), { size: 5 });
      expect(await read(storage(), at("y"))).toBe("hello");
    });

    it.each(["other", "hello"])("never overwrites the target, whatever its content (%s)", async (there) => {
      await put(storage(), at("x"), "hello");
      await put(storage(), at("y"), there);
      const moved = storage().move(at("x"), at("y"), known("hello"));
      expect(await failureOf(moved)).toMatchObject({ code: "TARGET_EXISTS", fault: "file" });
      expect(await read(storage(), at("x"))).toBe("hello");
      expect(await read(storage(), at("y"))).toBe(there);
    });

    it("does not mistake another file at the target for one that an earlier run moved", async () => {
      await put(storage(), at("y"), "other");
      const moved = storage().move(at("x"), at("y"), known("hello"));
      expect(await failureOf(moved)).toMatchObject({ code: "TARGET_EXISTS" });
    });

    it("reports that neither source nor target exists", async () => {
      const moved = storage().move(at("x"), at("y"), known("hello"));
      expect(await failureOf(moved)).toMatchObject({ code: "SOURCE_MISSING", fault: "file" });
    });

    it("does not move a source that is not the expected one", async () => {
      await put(storage(), at("x"), "grown longer");
      const moved = storage().move(at("x"), at("y"), known("hello"));
      expect(await failureOf(moved)).toMatchObject({ code: "SOURCE_CHANGED", fault: "file" });
      expect(await read(storage(), at("x"))).toBe("grown longer");
    });

    it("changes nothing when source and target are the same path", async () => {
      await put(storage(), at("x"), "hello");
      await storage().move(at("x"), at("x"), known("hello"));
      expect(await read(storage(), at("x"))).toBe("hello");
    });

    it("renames a file to a name that differs only in case", async () => {
      await put(storage(), at("photo.JPG"), "hello");
      await storage().move(at("photo.JPG"), at("photo.jpg"), known("hello"));
      expect(await read(storage(), at("photo.jpg"))).toBe("hello");
      expect(await filesIn(storage(), home())).toEqual([at("photo.jpg")]);
    });

    it("lets exactly one of two concurrent moves to one name succeed", async () => {
      for (let round = 0; round < 5; round++) {
        await put(storage(), at(`a${round}`), "aaaaa");
        await put(storage(), at(`b${round}`), "bbbbb");
        const ends = await Promise.allSettled([
          storage().move(at(`a${round}`), at(`to${round}`), known("aaaaa")),
          storage().move(at(`b${round}`), at(`to${round}`), known("bbbbb")),
        ]);
        expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
        const [won, lost] = ends[0].status === "fulfilled" ? ["a", "b"] : ["b", "a"];
        expect(await read(storage(), at(`to${round}`))).toBe(won?.repeat(5));
        expect(await read(storage(), at(`${lost}${round}`))).toBe(lost?.repeat(5));
      }
    });
  });
}

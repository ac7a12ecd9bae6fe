import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { failureOf, filesIn, known, put, read, sha256, sourceOf } from "../bytes.ts";
import type { Ground } from "./ground.ts";

export function describePutting({ storage, home, at }: Ground): void {
  /** The files in the test's own folder, finished or not. */
  const left = () => filesIn(storage(), home());

  describe("put", () => {
    it("stores the bytes, creates the folders and returns size and checksum", async () => {
      const stored = await storage().put(at("a/b/c.txt"), sourceOf("hello"), { temporary: "job-1" });
      expect(stored).toEqual({ size: 5, sha256: sha256("hello") });
      expect(await read(storage(), at("a/b/c.txt"))).toBe("hello");
      expect(await left()).toEqual([at("a/b/c.txt")]);
    });

    it("stores an empty file", async () => {
      expect(await put(storage(), at("empty"), "")).toEqual(known(""));
      expect(await storage().stat(at("empty"))).toMatchObject({ kind: "file", size: 0 });
    });

    it("succeeds if the same bytes are stored already, with and without a checksum known beforehand", async () => {
      await put(storage(), at("x"), "same");
      expect(await put(storage(), at("x"), "same", "job-2")).toEqual(known("same"));
      expect(await storage().put(at("x"), sourceOf("same"), { temporary: "job-3" })).toEqual(known("same"));
      expect(await left()).toEqual([at("x")]);
    });

    it.each([
      ["of another size", "something else"],
      ["of the same size", "SAME"],
    ])("never overwrites a file %s", async (_, other) => {
      await put(storage(), at("x"), "same");
      expect(await failureOf(put(storage(), at("x"), other))).toMatchObject({
        code: "TARGET_EXISTS",
        fault: "file",
      });
      const unknown = storage().put(at("x"), sourceOf(other), { temporary: "job-9" });
      expect(await failureOf(unknown)).toMatchObject({ code: "TARGET_EXISTS" });
      expect(await read(storage(), at("x"))).toBe("same");
      expect(await left()).toEqual([at("x")]);
    });

    it("lets exactly one of several puts to one path win", async () => {
      for (let round = 0; round < 5; round++) {
        const path = at(`race-${round}`);
        const texts = ["first", "other", "third"];
        const ends = await Promise.allSettled(
          texts.map((text, index) => storage().put(path, sourceOf(text), { temporary: `job${index}-1` })),
        );
        const won = ends.flatMap((end, index) => (end.status === "fulfilled" ? [texts[index]] : []));
        expect(won).toHaveLength(1);
        expect(await read(storage(), path)).toBe(won[0]);
        const lost = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.code] : []));
        expect(lost).toEqual(["TARGET_EXISTS", "TARGET_EXISTS"]);
      }
    });

    it("lets all of several puts of the same bytes succeed", async () => {
      const puts = ["a-1", "b-1", "c-1"].map((temporary) => put(storage(), at("x"), "equal", temporary));
      expect(await Promise.all(puts)).toEqual([known("equal"), known("equal"), known("equal")]);
    });

    it.each([
      ["another checksum", { size: 5, sha256: sha256("other") }],
      ["fewer bytes", { size: 4 }],
      ["more bytes", { size: 6 }],
    ])("stores nothing if %s were promised", async (_, promised) => {
      const done = storage().put(at("x"), sourceOf("hello"), { ...promised, temporary: "job-1" });
      expect(await failureOf(done)).toMatchObject({ code: "CHECKSUM_MISMATCH", fault: "file" });
      expect(await left()).toEqual([]);
    });

    it("throws the source's own error unchanged and leaves nothing behind", async () => {
      const broken = Object.assign(new Error("the cache is away"), { code: "ECONNREFUSED" });
      const source = Readable.from(
        (async function* () {
          yield Buffer.from("some");
          throw broken;
        })(),
      );
      expect(await failureOf(storage().put(at("x"), source, { temporary: "job-1" }))).toBe(broken);
      expect(await left()).toEqual([]);
    });

    it("throws the error of a source that fails before it is read", async () => {
      const broken = new Error("the cache is away");
      const source = new Readable({ read() {} });
      const done = storage().put(at("x"), source, { temporary: "job-1" });
      source.destroy(broken);
      expect(await failureOf(done)).toBe(broken);
      expect(await left()).toEqual([]);
    });

    it("throws the reason of an aborted signal and leaves nothing behind", async () => {
      const abort = new AbortController();
      const reason = new Error("enough");
      const source = new Readable({ read() {} });
      source.push("some");
      const done = storage().put(at("x"), source, {
        temporary: "job-1",
        signal: abort.signal,
        onProgress: () => abort.abort(reason),
      });
      // A storage that reads ahead before it writes reports no progress yet.
      setImmediate(() => source.push("more"));
      expect(await failureOf(done)).toBe(reason);
      expect(source.destroyed).toBe(true);
      expect(await left()).toEqual([]);
    });

    it("stores a file that arrives in several parts, and reports the progress", async () => {
      const part = Buffer.alloc(1024 * 1024, "x");
      const whole = Buffer.concat(Array.from({ length: 20 }, () => part));
      const seen: number[] = [];
      const source = Readable.from(Array.from({ length: 20 }, () => part));
      const onProgress = (bytes: number) => seen.push(bytes);
      const stored = await storage().put(at("large"), source, { temporary: "job-1", onProgress });
      expect(stored).toEqual(known(whole));
      expect(await storage().checksum(at("large"))).toEqual(known(whole));
      expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => (index + 1) * part.length));
      expect(
        await failureOf(storage().put(at("large"), sourceOf("x"), { temporary: "job-2" })),
      ).toMatchObject({
        code: "TARGET_EXISTS",
      });
    });

    it("destroys a source that it does not need", async () => {
      await put(storage(), at("x"), "same");
      const source = sourceOf("same");
      await storage().put(at("x"), source, { ...known("same"), temporary: "job-2" });
      expect(source.destroyed).toBe(true);
    });
  });

  describe("remove", () => {
    it("removes a file, and succeeds when repeated", async () => {
      await put(storage(), at("x"), "gone soon");
      await storage().remove(at("x"));
      await storage().remove(at("x"));
      await storage().remove(at("no/such/folder"));
      expect(await storage().stat(at("x"))).toBeUndefined();
    });

    it("removes nothing after its signal has aborted, before or during the call", async () => {
      await put(storage(), at("x"), "of the next file");
      const reason = new Error("enough");
      const before = storage().remove(at("x"), AbortSignal.abort(reason));
      expect(await failureOf(before)).toBe(reason);
      const abort = new AbortController();
      const onItsWay = storage().remove(at("x"), abort.signal);
      abort.abort(reason);
      expect(await failureOf(onItsWay)).toBe(reason);
      expect(await read(storage(), at("x"))).toBe("of the next file");
    });
  });
}

import { describe, expect, it } from "vitest";
import { failureOf, known, put, read } from "../bytes.ts";
import type { Ground } from "./ground.ts";

export function describeReading({ storage, at }: Ground): void {
  describe("get", () => {
    it.each([
      ["the beginning", 0, 4, "0123"],
      ["the middle", 3, 5, "34"],
      ["the end", 8, 10, "89"],
      ["everything", 0, 10, "0123456789"],
      ["nothing", 4, 4, ""],
      ["nothing at the end", 10, 10, ""],
      ["what reaches beyond the end", 7, 100, "789"],
      ["what begins beyond the end", 20, 30, ""],
      ["what ends before it begins", 5, 2, ""],
    ])("reads %s", async (_, start, end, expected) => {
      await put(storage(), at("digits"), "0123456789");
      const { stream, size, length } = await storage().get(at("digits"), { range: { start, end } });
      stream.destroy();
      expect({ size, length }).toEqual({ size: 10, length: expected.length });
      expect(await read(storage(), at("digits"), { start, end })).toBe(expected);
    });

    it("reports a missing file", async () => {
      const missing = { code: "SOURCE_MISSING", fault: "file" };
      expect(await failureOf(storage().get(at("none")))).toMatchObject(missing);
      expect(await failureOf(storage().get(at("none"), { range: { start: 0, end: 1 } }))).toMatchObject(
        missing,
      );
      expect(await failureOf(storage().checksum(at("none")))).toMatchObject(missing);
      expect(await storage().stat(at("none"))).toBeUndefined();
      expect(await storage().stat(at("none/below/it"))).toBeUndefined();
    });

    it("throws the reason of an aborted signal", async () => {
      await put(storage(), at("x"), Buffer.alloc(4 * 1024 * 1024));
      const abort = new AbortController();
      const reason = new Error("enough");
      const { stream } = await storage().get(at("x"), { signal: abort.signal });
      const reading = (async () => {
        for await (const _ of stream) abort.abort(reason);
      })();
      expect(await failureOf(reading)).toBe(reason);
      expect(await failureOf(storage().get(at("x"), { signal: abort.signal }))).toBe(reason);
    });
  });

  it("computes the size and checksum of a file from its bytes", async () => {
    await put(storage(), at("x"), "hello");
    expect(await storage().checksum(at("x"))).toEqual(known("hello"));
  });

  it("reports kind, size and time of a file, and the kind of a folder", async () => {
    const before = Date.now() - 2_000;
    await put(storage(), at("folder/x"), "hello");
    const entry = await storage().stat(at("folder/x"));
    expect(entry).toMatchObject({ kind: "file", size: 5 });
    expect(entry?.modifiedAt).toBeGreaterThan(before);
    expect(await storage().stat(at("folder"))).toMatchObject({ kind: "folder" });
    expect(await storage().stat("")).toMatchObject({ kind: "folder" });
  });

  it("is healthy, and reports its free space or that it is unknown", async () => {
    expect(await storage().health()).toEqual({ ok: true });
    expect(["number", "undefined"]).toContain(typeof (await storage().freeSpace()));
  });
}

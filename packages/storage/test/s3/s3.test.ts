import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { openStorage } from "@andon/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { S3Storage } from "../../src/s3/s3-storage.ts";
import { parseS3Url } from "../../src/s3/s3-url.ts";
import { failureOf, filesIn, gate, known, put, read, sourceOf } from "../bytes.ts";
import { openS3, type S3Place } from "../places.ts";

describe("S3", () => {
  let place: S3Place;
  beforeEach(async () => {
    place = await openS3();
  });
  afterEach(() => place.close());

  it.each([
    ["honoured", "refused"],
    ["ignored", "looked-up"],
    ["not-implemented", "looked-up"],
  ] as const)(
    "with conditions %s says that overwriting is %s, and never overwrites",
    async (conditions, overwriting) => {
      place.front.conditions = conditions;
      const { storage } = place;
      expect(await storage.capabilities()).toEqual({ overwriting, folders: "implied" });
      await put(storage, "x", "hello");
      expect(await failureOf(storage.put("x", sourceOf("other"), { temporary: "job-1" }))).toMatchObject({
        code: "TARGET_EXISTS",
      });
      await storage.move("x", "y", known("hello"));
      expect(await read(storage, "y")).toBe("hello");
      expect(await filesIn(storage)).toEqual(["y"]);
    },
  );

  it("moves an object that is too large for the server to copy", async () => {
    const small = new S3Storage(parseS3Url(place.url), { largestCopy: 3 });
    await put(small, "x", "hello");
    for (let run = 0; run < 2; run++) await small.move("x", "y", known("hello"));
    expect(await filesIn(small)).toEqual(["y"]);
    expect(await read(small, "y")).toBe("hello");
    await small.close();
  });

  it("finishes a move that died between copy and delete", async () => {
    const { storage, front } = place;
    await put(storage, "x", "hello");
    front.trouble = (request) =>
      request.method === "DELETE" && request.url?.includes("/x?")
        ? { status: 403, name: "AccessDenied" }
        : undefined;
    expect(await failureOf(storage.move("x", "y", known("hello")))).toMatchObject({
      code: "DENIED",
      fault: "file",
    });
    expect(await filesIn(storage)).toEqual(["x", "y"]);
    front.trouble = undefined;
    await storage.move("x", "y", known("hello"));
    expect(await filesIn(storage)).toEqual(["y"]);
  });

  it("aborts unfinished uploads of a lost claim, so that it cannot finish late", async () => {
    const { storage, front } = place;
    const [begun, goOn] = [gate(), gate()];
    front.onUpload = begun.open;
    const pieces = async function* () {
      yield Buffer.alloc(9 * 1024 * 1024);
      await goOn.opened;
      yield Buffer.from("the end");
    };
    const late = storage.put("x", Readable.from(pieces()), { temporary: "job-1" });
    await begun.opened;
    await storage.removeTemporaries("x", "job-2");
    expect([...front.uploads]).toEqual([]);
    goOn.open();
    expect(await failureOf(late)).toMatchObject({ code: "TEMPORARY_GONE", fault: "file" });
    expect(await filesIn(storage)).toEqual([]);
  });

  it("leaves no unfinished upload if the source fails or the target exists", async () => {
    const { storage, front } = place;
    const large = Buffer.alloc(9 * 1024 * 1024);
    const failing = async function* () {
      yield large;
      throw new Error("the source is away");
    };
    expect(await failureOf(storage.put("x", Readable.from(failing()), { temporary: "job-1" }))).toMatchObject(
      {
        message: "the source is away",
      },
    );
    await put(storage, "x", "hello");
    expect(await failureOf(storage.put("x", sourceOf(large), { temporary: "job-2" }))).toMatchObject({
      code: "TARGET_EXISTS",
    });
    expect([...front.uploads]).toEqual([]);
  });

  it.each([
    ["overloaded", 503, "SlowDown", "BUSY"],
    ["broken", 500, "InternalError", "BUSY"],
    ["closed to our key", 403, "InvalidAccessKeyId", "LOGIN"],
    ["closed to us", 403, "AccessDenied", "LOGIN"],
    ["without its bucket", 404, "NoSuchBucket", "NOT_MOUNTED"],
  ])("that is %s is the destination's fault", async (_, status, name, code) => {
    place.front.trouble = () => ({ status, name });
    const sick = { code, fault: "destination" };
    expect(await failureOf(put(place.storage, "x", "hello"))).toMatchObject(sick);
    expect(await failureOf(place.storage.get("x"))).toMatchObject(sick);
    expect(await failureOf(place.storage.stat("x"))).toMatchObject(sick);
    expect(await place.storage.health()).toMatchObject({ ok: false, problem: sick });
  });

  it("that denies one object only is that file's fault", async () => {
    place.front.trouble = (request) =>
      request.url?.includes("/x") ? { status: 403, name: "AccessDenied" } : undefined;
    expect(await failureOf(place.storage.get("x"))).toMatchObject({ code: "DENIED", fault: "file" });
    expect(await failureOf(put(place.storage, "x", "hello"))).toMatchObject({
      code: "DENIED",
      fault: "file",
    });
    expect(await put(place.storage, "y", "hello")).toEqual(known("hello"));
  });

  it("that does not answer is reported as unreachable", async () => {
    const gone = await openStorage(
      "s3://bytes?endpoint=http://127.0.0.1:9&region=us-east-1&forcePathStyle=true",
    );
    const unreachable = { code: "UNREACHABLE", fault: "destination" };
    expect(await failureOf(put(gone, "x", "hello"))).toMatchObject(unreachable);
    expect(await failureOf(gone.stat("x"))).toMatchObject(unreachable);
    await gone.close();
  });

  it("that breaks the connection halfway fails the read rather than end it early", async () => {
    await put(place.storage, "x", Buffer.alloc(1024 * 1024));
    place.front.trouble = (request) => (request.method === "GET" ? "cut" : undefined);
    const { stream } = await place.storage.get("x");
    expect(await failureOf(buffer(stream))).toMatchObject({ code: "UNREACHABLE", fault: "destination" });
  });
});

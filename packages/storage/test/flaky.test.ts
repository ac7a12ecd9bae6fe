import { Died, FlakyStorage } from "@andon/storage/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, filesIn, known, put, read, sourceOf } from "./bytes.ts";
import { type FolderPlace, openFolder } from "./places.ts";

describe("a flaky storage", () => {
  let place: FolderPlace;
  let flaky: FlakyStorage;
  beforeEach(async () => {
    place = await openFolder();
    flaky = new FlakyStorage(place.storage);
  });
  afterEach(async () => {
    await flaky.close();
    await place.close();
  });

  it("fails the requested next calls, and only those", async () => {
    flaky.failNext("stat", "BROKEN", 2);
    flaky.failNext("stat", new Error("odd"));
    expect(await failureOf(flaky.stat("x"))).toMatchObject({ code: "BROKEN", fault: "destination" });
    expect(await failureOf(flaky.stat("x"))).toMatchObject({ code: "BROKEN" });
    expect(await failureOf(flaky.stat("x"))).toMatchObject({ message: "odd" });
    expect(await flaky.stat("x")).toBeUndefined();
  });

  it("is away until it comes back", async () => {
    flaky.goAway("TIMED_OUT");
    expect(await failureOf(put(flaky, "x", "hello"))).toMatchObject({
      code: "TIMED_OUT",
      fault: "destination",
    });
    expect(await flaky.health()).toMatchObject({ ok: false, problem: { code: "TIMED_OUT" } });
    expect(await filesIn(place.storage)).toEqual([]);
    flaky.comeBack();
    expect(await put(flaky, "x", "hello")).toEqual(known("hello"));
  });

  it("is full after a number of bytes, and keeps no part of a file that did not fit", async () => {
    flaky.fullAfter(8);
    await put(flaky, "x", "hello");
    expect(await failureOf(put(flaky, "y", "hello"))).toMatchObject({ code: "FULL", fault: "destination" });
    expect(await filesIn(place.storage)).toEqual(["x"]);
    flaky.fullAfter(undefined);
    expect(await put(flaky, "y", "hello")).toEqual(known("hello"));
  });

  it("dies in the middle of a write and leaves the unfinished file, which the next claim removes", async () => {
    flaky.dieMidWrite(3);
    expect(await failureOf(put(flaky, "x", "hello", "job-1"))).toBeInstanceOf(Died);
    expect(await filesIn(place.storage)).toEqual([".andon-job-1.part"]);
    await flaky.removeTemporaries("x", "job-2");
    expect(await put(flaky, "x", "hello", "job-2")).toEqual(known("hello"));
    expect(await filesIn(place.storage)).toEqual(["x"]);
  });

  it("dies after the work is done", async () => {
    flaky.dieAfterNext("put");
    expect(await failureOf(put(flaky, "x", "hello"))).toBeInstanceOf(Died);
    expect(await read(flaky, "x")).toBe("hello");
  });

  it("hangs until it is released, or the signal aborts", async () => {
    const first = flaky.hangNext("put");
    const done = put(flaky, "x", "hello");
    await first.reached;
    expect(await filesIn(place.storage)).toEqual([]);
    first.release();
    expect(await done).toEqual(known("hello"));

    const second = flaky.hangNext("put");
    const abort = new AbortController();
    const aborted = flaky.put("y", sourceOf("hello"), { temporary: "job-1", signal: abort.signal });
    await second.reached;
    abort.abort(new Error("enough"));
    expect(await failureOf(aborted)).toMatchObject({ message: "enough" });
  });

  it("ends a removal that hangs when its signal aborts, and removes nothing late", async () => {
    await put(flaky, "x", "hello");
    const hang = flaky.hangNext("remove");
    const abort = new AbortController();
    const removed = flaky.remove("x", abort.signal);
    await hang.reached;
    abort.abort(new Error("enough"));
    expect(await failureOf(removed)).toMatchObject({ message: "enough" });
    hang.release();
    expect(await read(flaky, "x")).toBe("hello");
  });
});

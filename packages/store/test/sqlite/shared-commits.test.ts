import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Mutex } from "../../src/sqlite/mutex.ts";
import type { SyncSession } from "../../src/sqlite/session.ts";
import { SharedCommits } from "../../src/sqlite/shared-commits.ts";

/** Logs the calls on the file, and fails where `fails` says so. */
function desk(fails: { begin?: boolean; commit?: boolean; undo?: boolean } = {}) {
  const log: string[] = [];
  const step = (name: "begin" | "commit") => async () => {
    log.push(name);
    if (fails[name]) throw new Error(`no ${name}`);
  };
  const transaction = {
    begin: step("begin"),
    commit: step("commit"),
    rollback: () => log.push("rollback"),
    mark: () => log.push("mark"),
    keep: () => log.push("keep"),
    undo: () => {
      log.push("undo");
      if (fails.undo) throw new Error("no undo");
    },
  };
  const commits = new SharedCommits({} as SyncSession, transaction, new Mutex());
  const write = (name: string, then?: () => void) =>
    commits.run(() => {
      log.push(name);
      then?.();
      return name;
    });
  const work = (name: string, then?: () => Promise<void> | void) =>
    commits.runLong(async () => {
      log.push(name);
      await then?.();
      return name;
    });
  return { log, write, work };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

const broken = () => {
  throw new Error("refused");
};

describe("writes that wait at the same time", () => {
  test("share one commit, in the order of the calls, each with its own answer", async () => {
    const { log, write } = desk();
    expect(await Promise.all([write("a"), write("b")])).toEqual(["a", "b"]);
    expect(log).toEqual(["begin", "a", "b", "commit"]);
  });

  test("are joined by a write that arrives while they run", async () => {
    const { log, write } = desk();
    let joined: Promise<string> | undefined;
    await write("add", () => {
      joined = write("claim");
    });
    expect(await joined).toBe("claim");
    expect(log).toEqual(["begin", "add", "claim", "commit"]);
  });

  test("are answered, and their callers resumed, before a write that joined them", async () => {
    const { log, write } = desk();
    let joined: Promise<unknown> | undefined;
    await write("add", () => {
      joined = write("claim").then(() => log.push("handler"));
    });
    for (let hops = 0; hops < 20; hops++) await null;
    log.push("the caller goes on");
    await joined;
    expect(log.slice(-2)).toEqual(["the caller goes on", "handler"]);
  });

  test("run one by one if one of them throws, and only that one is rejected", async () => {
    const { log, write } = desk();
    const settled = await Promise.allSettled([write("a"), write("b", broken), write("c")]);
    expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const alone = ["begin", "a", "commit", "begin", "b", "rollback", "begin", "c", "commit"];
    expect(log).toEqual(["begin", "a", "b", "rollback", ...alone]);
  });

  test("are all rejected, once, if the transaction cannot begin", async () => {
    const { log, write } = desk({ begin: true });
    const settled = await Promise.allSettled([write("a"), write("b")]);
    expect(settled.map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(log).toEqual(["begin"]);
  });

  test("are rejected if the commit fails", async () => {
    const { write } = desk({ commit: true });
    await expect(write("a")).rejects.toThrow("no commit");
  });
});

test("a write that arrives after the last one has run gets its own commit", async () => {
  const { log, write } = desk();
  await write("a");
  await write("b");
  expect(log).toEqual(["begin", "a", "commit", "begin", "b", "commit"]);
});

describe("transactions of callers", () => {
  // A group closes after some milliseconds, which may pass between any two lines on a busy machine.
  beforeEach(() => void vi.spyOn(performance, "now").mockReturnValue(0));
  afterEach(() => void vi.restoreAllMocks());

  test("that arrive in one turn of the event loop share one commit, each in its own savepoint", async () => {
    const { log, work, write } = desk();
    expect(await Promise.all([work("a"), write("b"), work("c")])).toEqual(["a", "b", "c"]);
    const marked = ["a", "b", "c"].flatMap((name) => ["mark", name, "keep"]);
    expect(log).toEqual(["begin", ...marked, "commit"]);
  });

  test("fail alone, and are rejected before the commit", async () => {
    const { log, work, write } = desk();
    const settled = await Promise.allSettled([work("a"), work("b", broken), write("c", broken), write("d")]);
    expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    const undone = ["mark", "b", "undo", "mark", "c", "undo"];
    expect(log).toEqual(["begin", "mark", "a", "keep", ...undone, "mark", "d", "keep", "commit"]);
  });

  test("are all rejected, once, if one aborts the whole transaction; later ones run", async () => {
    const { log, work } = desk({ undo: true });
    const settled = await Promise.allSettled([work("a"), work("b", broken), work("c")]);
    expect(settled.map((one) => one.status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(settled.map((one) => "reason" in one && one.reason.message)).toEqual([
      "refused",
      "refused",
      false,
    ]);
    expect(log.filter((step) => step === "a")).toHaveLength(1);
    expect(log.slice(-5)).toEqual(["begin", "mark", "c", "keep", "commit"]);
  });

  test("that take long close their group to later ones", async () => {
    vi.restoreAllMocks();
    const { log, work } = desk();
    let end: () => void = () => {};
    const slow = work("slow", () => new Promise<void>((resolve) => (end = resolve)));
    while (!log.includes("slow")) await turnOfTheLoop();
    const later = work("later");
    const since = performance.now();
    while (performance.now() - since < 10) await turnOfTheLoop();
    end();
    await Promise.all([slow, later]);
    const alone = (name: string) => ["begin", "mark", name, "keep", "commit"];
    expect(log).toEqual([...alone("slow"), ...alone("later")]);
  });

  test("run in their own async context, not in that of the caller that opened the group", async () => {
    const { work } = desk();
    const caller = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const look = () => void seen.push(caller.getStore());
    await Promise.all(["a", "b"].map((name) => caller.run(name, () => work(name, look))));
    expect(seen).toEqual(["a", "b"]);
  });
});

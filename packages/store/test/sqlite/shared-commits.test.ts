import { describe, expect, test } from "vitest";
import { Mutex } from "../../src/sqlite/mutex.ts";
import type { SyncSession } from "../../src/sqlite/session.ts";
import { SharedCommits } from "../../src/sqlite/shared-commits.ts";

/** Writes down what happened to the file, and fails at what it is told to fail at. */
function desk(fails: { begin?: boolean; commit?: boolean } = {}) {
  const log: string[] = [];
  const step = (name: "begin" | "commit") => async () => {
    log.push(name);
    if (fails[name]) throw new Error(`no ${name}`);
  };
  const transaction = { begin: step("begin"), commit: step("commit"), rollback: () => log.push("rollback") };
  const commits = new SharedCommits({} as SyncSession, transaction, new Mutex());
  const write = (name: string, then?: () => void) =>
    commits.run(() => {
      log.push(name);
      then?.();
      return name;
    });
  return { log, write };
}

const broken = () => {
  throw new Error("refused");
};

describe("writes that wait at the same time", () => {
  test("share one commit, in the order they came, each with its own answer", async () => {
    const { log, write } = desk();
    expect(await Promise.all([write("a"), write("b")])).toEqual(["a", "b"]);
    expect(log).toEqual(["begin", "a", "b", "commit"]);
  });

  test("are joined by one that comes while they run", async () => {
    const { log, write } = desk();
    let joined: Promise<string> | undefined;
    await write("add", () => {
      joined = write("claim");
    });
    expect(await joined).toBe("claim");
    expect(log).toEqual(["begin", "add", "claim", "commit"]);
  });

  test("are answered, and have gone on, before one that joined them is", async () => {
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

  test("go one by one where one of them throws, and only that one is refused", async () => {
    const { log, write } = desk();
    const settled = await Promise.allSettled([write("a"), write("b", broken), write("c")]);
    expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const alone = ["begin", "a", "commit", "begin", "b", "rollback", "begin", "c", "commit"];
    expect(log).toEqual(["begin", "a", "b", "rollback", ...alone]);
  });

  test("are all refused, once, where the file cannot be had", async () => {
    const { log, write } = desk({ begin: true });
    const settled = await Promise.allSettled([write("a"), write("b")]);
    expect(settled.map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(log).toEqual(["begin", "rollback"]);
  });

  test("are not answered where the commit fails", async () => {
    const { write } = desk({ commit: true });
    await expect(write("a")).rejects.toThrow("no commit");
  });
});

test("a write that comes after the last one has run gets a commit of its own", async () => {
  const { log, write } = desk();
  await write("a");
  await write("b");
  expect(log).toEqual(["begin", "a", "commit", "begin", "b", "commit"]);
});

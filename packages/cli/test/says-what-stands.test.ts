import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { andon, startTestServer, type TestServer, until } from "./harness.ts";

describe.each(["en", "ko"] as const)("in %s", (lang) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer("sqlite", {
      queues: {
        sick: {
          backoff: { delay: "1h" },
          classify: () => "destination",
          handler: () => {
            throw new Error("the NAS does not answer");
          },
        },
        later: {},
      },
    });
  });
  afterAll(() => server.close());
  const says = async (...args: string[]) => {
    const { code, stdout, stderr } = await andon([...args, "--lang", lang], { env: server.env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };

  test("a degraded queue is not said to be stopped", async () => {
    await server.client.queues.add({ queue: "sick", payload: {} });
    await until(async () => (await server.client.queues.overview({ queue: "sick" })).state === "degraded");
    const stdout = await says("status", "sick");
    expect(stdout).toMatch(lang === "en" ? /^Degraded since +20\d\d-/m : /^저하 시작 시각 +20\d\d-/m);
    expect(stdout).not.toMatch(/Stopped at|정지 시각/);
  });

  test("a status without a queue says which others stand", async () => {
    const stdout = await says("status");
    expect(stdout).toMatch(/nas-sync/);
    expect(stdout.trim().split("\n").at(-1)).toMatch(
      lang === "en"
        ? /^Other queues do not run.*: sick \(degraded\)\./
        : /^정상이 아닌 다른 큐.*: sick \(degraded\)\./,
    );
    expect(await says("status", "later")).not.toContain("sick");
    const json = JSON.parse(await says("status", "--json"));
    expect(json).toEqual(await server.client.queues.status({ queue: "nas-sync" }));
  });

  test("files of a server without a vault are not only said to be nowhere", async () => {
    const { code, stderr } = await andon(["vault", "held", "--lang", lang], { env: server.env });
    expect(code).toBe(5);
    expect(stderr).toContain(lang === "en" ? "This server has no vault" : "이 서버에는 vault가 없습니다");
  });

  test("alerts say which of them are over", async () => {
    await server.client.queues.pause({ queue: "later" });
    const { id } = await server.client.alerts.test();
    const isOver = async () => (await server.client.alerts.show({ id })).resolvedAt !== null;
    const stdout = await says("alerts");
    expect(stdout.split("\n")[0]).toMatch(lang === "en" ? /Fired +Resolved +Severity/ : /발생 +해소 +심각도/);
    const shown = (await isOver()) ? /20\d\d-\d\d-\d\d \S+ +20\d\d-/ : /not yet|발생 중/;
    expect(stdout).toMatch(shown);
  });

  test("holding a key that no job has says that the lane is new", async () => {
    const isNew = lang === "en" ? "the lane is new and empty" : "비어 있는 새 레인";
    expect(await says("lane", "hold", "file:404", "--queue", "later")).toContain(isNew);
    await server.client.queues.add({ queue: "later", payload: {}, key: "file:1" });
    expect(await says("lane", "hold", "file:1", "--queue", "later")).not.toContain(isNew);
  });
});

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

  test("a degraded queue is not shown as stopped", async () => {
    await server.client.queues.add({ queue: "sick", payload: {} });
    await until(async () => (await server.client.queues.overview({ queue: "sick" })).state === "degraded");
    const stdout = await says("status", "sick");
    expect(stdout).toMatch(lang === "en" ? /^Degraded since +20\d\d-/m : /^장애 시작 +20\d\d-/m);
    expect(stdout).not.toMatch(/Stopped at|정지 시각/);
  });

  test("status without a queue shows the state of each queue", async () => {
    const stdout = await says("status");
    expect(stdout).toMatch(/nas-sync/);
    expect(stdout).toMatch(lang === "en" ? /^sick +Degraded /m : /^sick +대상 장애 /m);
    expect(stdout).toMatch(lang === "en" ? /^later +Running /m : /^later +실행 중 /m);
    expect(await says("status", "later")).not.toContain("sick");
    const json = JSON.parse(await says("status", "--json"));
    expect(json.queues).toContainEqual(expect.objectContaining({ queue: "sick", state: "degraded" }));
    const { code } = await andon(["status", "sick", "--exit-code"], { env: server.env });
    expect(code).toBe(11);
  });

  test("a vault command on a server without the vault app says that the server does not run the app", async () => {
    const { code, stderr } = await andon(["vault", "held", "--lang", lang], { env: server.env });
    expect(code).toBe(5);
    expect(stderr).toContain(
      lang === "en" ? "This server does not run the app vault" : "이 서버는 앱 vault를 실행하지 않습니다",
    );
  });

  test("alerts shows which alerts are resolved", async () => {
    await server.client.queues.pause({ queue: "later" });
    const { id } = await server.client.alerts.test();
    const isOver = async () => (await server.client.alerts.show({ id })).resolvedAt !== null;
    const stdout = await says("alerts");
    expect(stdout.split("\n")[0]).toMatch(lang === "en" ? /Fired +Resolved +Severity/ : /발생 +해소 +심각도/);
    const shown = (await isOver()) ? /20\d\d-\d\d-\d\d \S+ +20\d\d-/ : /not yet|발생 중/;
    expect(stdout).toMatch(shown);
  });

  test("holding a key that no job has says that the lane is new", async () => {
    const isNew = lang === "en" ? "an empty lane was created" : "비어 있는 새 레인";
    expect(await says("lane", "hold", "file:404", "--queue", "later")).toContain(isNew);
    await server.client.queues.add({ queue: "later", payload: {}, key: "file:1" });
    expect(await says("lane", "hold", "file:1", "--queue", "later")).not.toContain(isNew);
  });
});

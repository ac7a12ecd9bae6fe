import { createDatabase, type TestDatabase } from "@andon/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../harness.ts";
import { startReceiver } from "../observe/otlp-receiver.ts";
import { ADMIN_TOKEN, ask, Folder, LOAD_CONFIG, listening } from "./server-process.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

let folder: Folder;
let database: TestDatabase;
beforeEach(async () => {
  folder = new Folder();
  database = await createDatabase();
});
afterEach(async () => {
  await folder.remove();
  await database.drop();
});

test("one process serves the API and another works, and one trace covers both", async () => {
  const receiver = await startReceiver();
  const env = {
    ANDON_CONFIG: LOAD_CONFIG,
    ANDON_ADMIN_TOKEN: ADMIN_TOKEN,
    ANDON_STORE: database.url,
    WORK_LEDGER: folder.ledger,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  };
  const api = folder.start({ ...env, ANDON_ROLES: "api" });
  const url = await listening(api);
  const answer = await ask(`${url}/load/load`, "POST", { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });
  expect([answer.status, answer.headers.get("x-trace-id")]).toEqual([200, TRACE]);
  const { id } = (await answer.json()) as { id: string };
  const stateOf = async () =>
    ((await (await ask(`${url}/admin/jobs/${id}`)).json()) as { state: string }).state;
  expect(await stateOf()).toBe("ready");
  expect(((await (await ask(`${url}/admin/workers`)).json()) as { items: unknown[] }).items).toEqual([]);

  const worker = folder.start({ ...env, ANDON_ROLES: "work,deliver" });
  expect(await worker.waitForLine("Andon runs as", 30_000)).toBe("Andon runs as work, deliver");
  await until(async () => (await stateOf()) === "done");
  expect(folder.worked()).toEqual([{ id, pid: worker.pid }]);

  expect(await worker.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await api.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  await receiver.close();
  expect(receiver.spans.find(({ name }) => name === "job load")?.traceId).toBe(TRACE);
});

test("a process that only delivers takes back the jobs of a dead worker, which is listed nowhere", async () => {
  const env = { ANDON_CONFIG: LOAD_CONFIG, ANDON_ADMIN_TOKEN: ADMIN_TOKEN, ANDON_STORE: database.url };
  const api = folder.start({ ...env, ANDON_ROLES: "api" });
  const url = await listening(api);
  const json = async (path: string) => (await ask(`${url}${path}`)).json();
  const worker = folder.start({ ...env, ANDON_ROLES: "work" });
  await worker.waitForLine("Andon runs as", 30_000);
  const deliverer = folder.start({ ...env, ANDON_ROLES: "deliver,watch" });
  await deliverer.waitForLine("Andon runs as", 30_000);
  const { id } = (await (await ask(`${url}/load/stuck`, "POST")).json()) as { id: string };
  const stateOf = async () => ((await json(`/admin/jobs/${id}`)) as { state: string }).state;
  await until(async () => (await stateOf()) === "running");

  await worker.kill("SIGKILL");
  await until(async () => (await stateOf()) === "ready");
  const workersOf = async () => ((await json("/admin/workers")) as { items: { pid: number }[] }).items;
  await until(async () => (await workersOf()).length === 1);
  expect((await workersOf()).map(({ pid }) => pid)).toEqual([deliverer.pid]);
  expect(await (await ask(`${url}/metrics`)).text()).toMatch(/^andon_workers 1$/m);
  expect(await json(`/admin/jobs/${id}/why`)).toMatchObject({ rule: "queue.no-worker" });
});

test("the line about the start names the roles, and only a process with the role api creates an admin key", async () => {
  const worker = folder.start({ ANDON_STORE: database.url, ANDON_ROLES: "watch,deliver" });
  const started = JSON.parse(await worker.waitForLine('"started"', 30_000));
  expect(started).toMatchObject({
    roles: ["watch", "deliver"],
    url: null,
    queues: expect.arrayContaining(["nas-sync", "outbox"]),
  });
  await worker.kill("SIGTERM");
  expect(worker.stdout).not.toContain("code=");
});

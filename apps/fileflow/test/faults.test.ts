import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect } from "vitest";
import { describeFileflow, FileflowServer, ownEvent, until } from "./harness.ts";
import { defaultPipeline, Gate, noop, stagesOf } from "./programs.ts";
import { SqsServer } from "./sqs.ts";
import { SqsProxy } from "./sqs-proxy.ts";

/** `ANDON_LONG=1` runs the long forms. */
const LONG = process.env.ANDON_LONG === "1";
const RACES = LONG ? 1_000 : 40;
const FLOOD = LONG ? 10_000 : 500;
const AWAY_MS = LONG ? 60_000 : 2_000;
/** The shortest that the settings allow. */
const VISIBILITY = 5_000;
const PROCESS = fileURLToPath(new URL("fileflow-process.fixture.mjs", import.meta.url));

let sqs: SqsServer;
beforeEach(async () => {
  sqs = await SqsServer.start();
});
afterEach(() => sqs.stop());

const settings = (more: Record<string, unknown> = {}, endpoint = sqs.endpoint) =>
  ({
    sqs: { ...sqs.settings.sqs, endpoint },
    fileflow: { pipelines: [{ code: "default", stages: stagesOf("noop") }], ...more },
  }) as never;
let gate = new Gate();
let starting: Promise<SqsProxy>;

/** The number of events that the consumer has accepted, including duplicates. */
const consumed = async (server: FileflowServer) =>
  Number(
    /fileflow_events_consumed_total\{outcome="ok"\} (\d+)/.exec(
      (await server.ask("GET", "/metrics")).body,
    )?.[1],
  );

const total = async (server: FileflowServer, path = "/pipelines/executions") =>
  (await server.done("GET", path)).total;

/** What a second process needs to work on the same store. */
const groundOf = ({ data, site }: FileflowServer, store: string) => ({
  data,
  ...(store === "postgres" ? { store: site.settings.store } : {}),
});

describeFileflow("faults", (it, store) => {
  it(
    "a consumer that is killed between commit and delete creates nothing twice",
    () => ({ app: { programs: { noop } }, settings: defaultPipeline(stagesOf("noop")) }),
    async (server) => {
      const proxy = await SqsProxy.to(sqs.endpoint);
      proxy.withhold("DeleteMessageBatch");
      const ground = groundOf(server, store);
      await server.stop();
      const sqsSettings = { ...sqs.settings.sqs, endpoint: proxy.endpoint };
      const fileflow = {
        pipelines: [{ code: "default", stages: stagesOf("noop") }],
        visibility: VISIBILITY,
      };
      const killed = spawn(
        process.execPath,
        [PROCESS, JSON.stringify({ ...ground, sqs: sqsSettings, fileflow, adminToken: server.adminToken })],
        { stdio: "ignore" },
      );
      await sqs.send(Array.from({ length: 20 }, () => ownEvent()));
      // Committed, but not deleted yet.
      await until(async () => (proxy.held.get("DeleteMessageBatch") ?? 0) >= 2);
      killed.kill("SIGKILL");
      await once(killed, "exit");
      await proxy.close();
      expect(await sqs.count()).toBe(20);
      const second = await FileflowServer.start(store, {
        app: { programs: { noop }, waitSeconds: 1 },
        settings: settings(),
        ground,
      });
      try {
        expect(await total(second)).toBe(20);
        await until(async () => (await sqs.count()) === 0);
        expect(await total(second)).toBe(20);
        expect(await total(second, "/dlq")).toBe(0);
      } finally {
        await second.close();
      }
    },
    60_000,
  );

  it(
    "messages that become visible before they are deleted create nothing twice",
    () => {
      starting = SqsProxy.to(sqs.endpoint);
      return starting.then(({ endpoint }) => ({
        app: { programs: { noop }, waitSeconds: 1 },
        settings: settings({ visibility: VISIBILITY }, endpoint),
      }));
    },
    async (server) => {
      const proxy = await starting;
      proxy.withhold("DeleteMessageBatch", "ChangeMessageVisibilityBatch");
      await sqs.send(Array.from({ length: 10 }, () => ownEvent()));
      await until(async () => (await total(server)) === 10);
      // Their visibility is not extended and they are not deleted, so they are received a second time and recognized.
      await until(async () => (await consumed(server)) >= 20);
      proxy.release();
      await until(async () => (await sqs.count()) === 0);
      expect(await total(server)).toBe(10);
      await proxy.close();
    },
    60_000,
  );

  it(
    "an outage of SQS loses and doubles nothing, and readiness reports it",
    () => {
      starting = SqsProxy.to(sqs.endpoint);
      return starting.then(({ endpoint }) => ({
        app: { programs: { noop }, waitSeconds: 1 },
        settings: settings({ visibility: VISIBILITY }, endpoint),
      }));
    },
    async (server) => {
      const proxy = await starting;
      await sqs.send(Array.from({ length: 40 }, () => ownEvent()));
      await until(async () => (await total(server)) >= 10);
      proxy.cut();
      await sqs.send(Array.from({ length: 40 }, () => ownEvent()));
      await until(async () => (await server.ask("GET", "/readyz")).body.status === "degraded");
      // The length of the outage is the tested condition; there is no event to wait for.
      await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      proxy.mend();
      await until(async () => (await sqs.count()) === 0);
      expect(await total(server)).toBe(80);
      expect(await total(server, "/dlq")).toBe(0);
      expect((await server.ask("GET", "/readyz")).body.status).toBe("ok");
      await proxy.close();
    },
    LONG ? 300_000 : 60_000,
  );

  it(
    "a cancel that races with the completion ends in exactly one of the two, and the answer says which",
    () => ({
      app: { programs: { noop } },
      settings: defaultPipeline(stagesOf("noop")),
    }),
    async (server) => {
      const outcomes = { cancelled: 0, completed: 0 };
      const race = async () => {
        const id = await server.execute();
        const { status, body } = await server.ask("POST", `/pipelines/executions/${id}:cancel`);
        if (status !== 202) expect([status, body.error]).toEqual([409, "PP-409-STATE"]);
        await server.inStatus(id, status === 202 ? "CANCELLED" : "COMPLETED");
        outcomes[status === 202 ? "cancelled" : "completed"]++;
      };
      for (let at = 0; at < RACES; at += 10) await Promise.all(Array.from({ length: 10 }, race));
      expect(outcomes.cancelled + outcomes.completed).toBe(RACES);
    },
    LONG ? 600_000 : 60_000,
  );

  it(
    "many executions of one tenant do not delay another tenant",
    () => {
      gate = new Gate();
      return {
        app: { programs: { gate: gate.program } },
        settings: {
          fileflow: { perWorker: 2, pipelines: [{ code: "default", stages: stagesOf("gate") }] },
        } as never,
      };
    },
    async (server) => {
      const flood = Array.from({ length: FLOOD }, () => ownEvent({ tenantId: "loud" }));
      for (let at = 0; at < FLOOD; at += 100)
        await Promise.all(flood.slice(at, at + 100).map((event) => server.execute(event)));
      const quiet = await Promise.all(
        Array.from({ length: 10 }, () => server.execute({ tenantId: "quiet" })),
      );
      gate.open();
      for (const id of quiet) await server.inStatus(id, "COMPLETED");
      // Tenants take turns: when the tenth execution of the quiet tenant is done, the loud tenant has had about as many
      // places.
      const last = Math.max(...quiet.map((id) => gate.entered.indexOf(id)));
      const loud = gate.entered.slice(0, last).filter((id) => !quiet.includes(id));
      expect(loud.length).toBeLessThan(quiet.length * 4);
    },
    LONG ? 600_000 : 60_000,
  );

  if (LONG)
    it(
      "ten executions of one tenant are overtaken by only a few of another's flood, however large it is",
      () => {
        gate = new Gate();
        gate.open();
        return {
          app: { programs: { gate: gate.program } },
          settings: defaultPipeline(stagesOf("gate")),
        };
      },
      async (server) => {
        await server.done("POST", "/admin/queues/fileflow/pause", { body: { reason: "flood" } });
        const flood = Array.from({ length: FLOOD }, () => ownEvent({ tenantId: "loud" }));
        for (let at = 0; at < FLOOD; at += 500)
          await Promise.all(flood.slice(at, at + 500).map((event) => server.execute(event)));
        await server.done("POST", "/admin/queues/fileflow/resume", { body: { reason: "flood" } });
        const quiet = await Promise.all(
          Array.from({ length: 10 }, () => server.execute({ tenantId: "quiet" })),
        );
        // From here on all ten wait or have started. Counts executions and not seconds, because the speed of the machine must
        // not matter.
        const startedBefore = gate.entered.length;
        expect(startedBefore).toBeLessThan(FLOOD * 0.9);
        for (const id of quiet) await server.inStatus(id, "COMPLETED");
        const last = Math.max(...quiet.map((id) => gate.entered.indexOf(id)));
        const overtaking = gate.entered.slice(startedBefore, last).filter((id) => !quiet.includes(id));
        // The executions already claimed at that moment, and the turns of the other tenant.
        expect(overtaking.length).toBeLessThan(quiet.length * 4);
      },
      600_000,
    );
});

import { afterEach, beforeEach, expect } from "vitest";
import { describeFileflow, FileflowServer, ownEvent, until } from "./harness.ts";
import { defaultPipeline, Gate, noop, stagesOf } from "./programs.ts";
import { SqsServer } from "./sqs.ts";

/** `ANDON_LONG=1` runs the long forms. */
const LONG = process.env.ANDON_LONG === "1";
const RACES = LONG ? 1_000 : 40;
const FLOOD = LONG ? 10_000 : 500;

let sqs: SqsServer;
beforeEach(async () => {
  sqs = await SqsServer.start();
});
afterEach(() => sqs.stop());

const settings = (more: Record<string, unknown> = {}) =>
  ({
    ...sqs.settings,
    fileflow: { pipelines: [{ code: "default", stages: stagesOf("noop") }], ...more },
  }) as never;
let gate = new Gate();

describeFileflow("faults", (it, store) => {
  it(
    "a consumer that dies between commit and delete makes nothing twice",
    () => ({ app: { programs: { noop } }, settings: defaultPipeline(stagesOf("noop")) }),
    async (server) => {
      // What it leaves: executions that are committed, and their messages still in the queue.
      const events = Array.from({ length: 20 }, () => ownEvent());
      for (const event of events) await server.execute(event);
      await sqs.send(events);
      const [{ url = undefined } = {}] = store === "postgres" ? [{ url: server.site.settings.store }] : [];
      await server.stop();
      const second = await FileflowServer.start(store, {
        app: { programs: { noop }, waitSeconds: 1 },
        settings: settings(),
        ground: { data: server.data, ...(url === undefined ? {} : { store: url }) },
      });
      try {
        await until(async () => (await sqs.count()) === 0);
        expect((await second.done("GET", "/pipelines/executions")).total).toBe(20);
        expect((await second.done("GET", "/dlq")).total).toBe(0);
      } finally {
        await second.close();
      }
    },
    60_000,
  );

  it(
    "a message that is visible again while it is worked makes nothing twice",
    () => ({
      app: { programs: { noop }, waitSeconds: 1 },
      settings: settings(),
    }),
    async (server) => {
      const events = Array.from({ length: 10 }, () => ownEvent());
      await sqs.send(events);
      // Somebody else has received them, and gives them back at once: they are delivered more than once.
      await sqs.receive(sqs.queueUrl, 0);
      await until(async () => (await sqs.count()) === 0);
      expect((await server.done("GET", "/pipelines/executions")).total).toBe(10);
    },
    60_000,
  );

  it(
    "a cancel that races with the completion ends in exactly one of the two, and says which",
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
    "a flood of one tenant does not make another wait",
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
      // In turns: when the tenth of the quiet tenant is done, the loud one has had about as many places.
      const last = Math.max(...quiet.map((id) => gate.entered.indexOf(id)));
      const loud = gate.entered.slice(0, last).filter((id) => !quiet.includes(id));
      expect(loud.length).toBeLessThan(quiet.length * 4);
    },
    LONG ? 600_000 : 60_000,
  );
});

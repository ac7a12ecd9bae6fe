import { afterEach, beforeEach, expect } from "vitest";
import { describeFileflow, type FileflowServer, ownEvent, until } from "./harness.ts";
import { defaultPipeline, Gate, noop, stagesOf } from "./programs.ts";
import { SqsServer } from "./sqs.ts";

let sqs: SqsServer;
beforeEach(async () => {
  sqs = await SqsServer.start();
});
afterEach(() => sqs.stop());

const withSqs =
  (more: Record<string, unknown> = {}, programs = { noop }) =>
  () => ({
    app: { programs, waitSeconds: 1 },
    settings: {
      ...sqs.settings,
      fileflow: { pipelines: [{ code: "default", stages: stagesOf("noop") }], ...more },
    } as never,
  });

const total = async (server: FileflowServer, path = "/pipelines/executions") =>
  (await server.done("GET", path)).total;

describeFileflow("events from SQS", (it) => {
  it(
    "become executions, one per object however often it is announced, and are then deleted",
    withSqs(),
    async (server) => {
      const events = Array.from({ length: 30 }, () => ownEvent());
      await sqs.send([...events, ...events, ...events.toReversed()]);
      await until(async () => (await total(server)) === 30);
      await until(async () => (await sqs.count()) === 0);
      expect(await total(server)).toBe(30);
      expect(await total(server, "/dlq")).toBe(0);
    },
  );

  it(
    "that are invalid go to the store and the dead-letter queue, the others pass; a redrive removes them from the queue",
    withSqs({ buckets: { photos: { tenantId: "acme", organizationId: 9 } } }),
    async (server) => {
      const s3 = {
        Records: [
          {
            eventName: "ObjectCreated:Put",
            s3: { bucket: { name: "photos" }, object: { key: "a%2Bb", size: 1 } },
          },
        ],
      };
      await sqs.send(["{ broken", { Event: "s3:TestEvent" }, s3, { Records: [] }, ownEvent()]);
      await until(async () => (await sqs.count()) === 0);
      await until(async () => (await total(server)) === 2);
      const { items } = await server.done("GET", "/pipelines/executions?tenantId=acme");
      expect(items).toMatchObject([{ key: "a+b", organizationId: "9" }]);
      const letters = (await server.done("GET", "/dlq")).items;
      expect(letters).toMatchObject([
        { source: "SQS", error: "PP-400-JSON" },
        { source: "SQS", error: "PP-400-JSON" },
      ]);
      expect(await sqs.count(sqs.dlqUrl)).toBe(2);
      let copies: Awaited<ReturnType<typeof sqs.receive>> = [];
      await until(async () => {
        copies = await sqs.receive(sqs.dlqUrl);
        return copies.length === 2;
      });
      expect(copies.map((copy) => copy.MessageAttributes?.error?.StringValue)).toEqual([
        "PP-400-JSON",
        "PP-400-JSON",
      ]);
      const [letter] = letters;
      await server.done("POST", `/dlq/${letter.id}/discard`, { body: { reason: "poison" } });
      await until(async () => (await sqs.count(sqs.dlqUrl)) === 1);
      await server.site.andon.store.transaction("test", (tx) =>
        tx.query("update fileflow_dlq set body = $2 where id = $1", [
          letters[1].id,
          JSON.stringify(ownEvent()),
        ]),
      );
      expect((await server.done("POST", `/dlq/${letters[1].id}/redrive`)).state).toBe("REDRIVEN");
      await until(async () => (await sqs.count(sqs.dlqUrl)) === 0);
    },
  );

  it(
    "with other content under a known key become dead letters with PP-409-IDEMP",
    withSqs(),
    async (server) => {
      await sqs.send([ownEvent({ key: "same" })]);
      await until(async () => (await total(server)) === 1);
      await sqs.send([ownEvent({ key: "same", size: 99 })]);
      await until(async () => (await total(server, "/dlq?error=PP-409-IDEMP")) === 1);
      expect(await total(server)).toBe(1);
    },
  );

  it(
    "stay in SQS while there is no room",
    () => {
      gate = new Gate();
      return {
        app: { programs: { gate: gate.program }, waitSeconds: 1 },
        settings: {
          ...sqs.settings,
          fileflow: {
            maxPending: 5,
            perWorker: 1,
            receivers: 1,
            pipelines: [{ code: "default", stages: stagesOf("gate") }],
          },
        } as never,
      };
    },
    async (server) => {
      await sqs.send(Array.from({ length: 60 }, () => ownEvent()));
      await until(async () => (await total(server)) >= 5);
      await until(async () =>
        /fileflow_receives_put_off_total\{cause="no-room"\} [1-9]/.test(
          (await server.ask("GET", "/metrics")).body,
        ),
      );
      // A batch of ten may exceed the limit, and another may be in progress.
      expect(await sqs.count()).toBeGreaterThanOrEqual(30);
      gate.open();
      await until(
        async () =>
          (await sqs.count()) === 0 && (await total(server, "/pipelines/executions?status=COMPLETED")) === 60,
      );
    },
    90_000,
  );

  it(
    "that cannot be stored are received again, and become dead letters after the last receive",
    withSqs({ maxReceives: 2, visibility: 5_000 }),
    async (server) => {
      // Simulates a failing database: the table of the keys is renamed for a while.
      await server.site.andon.store.transaction("test", (tx) =>
        tx.query("alter table fileflow_keys rename to fileflow_keys_away"),
      );
      await sqs.send([ownEvent()]);
      await until(async () => (await total(server, "/dlq?error=PP-500-IO")) === 1);
      await server.site.andon.store.transaction("test", (tx) =>
        tx.query("alter table fileflow_keys_away rename to fileflow_keys"),
      );
      const { items } = await server.done("GET", "/dlq");
      expect((await server.done("POST", `/dlq/${items[0].id}/redrive`)).state).toBe("REDRIVEN");
    },
    60_000,
  );
});

describeFileflow("messages that SQS moved to its dead-letter queue", (it) => {
  it(
    "are shown, redriven and discarded like other dead letters; our own copies are not kept twice",
    () => ({ ...withSqs()(), app: { programs: { noop }, waitSeconds: 1, dlqLookMs: 100 } }),
    async (server) => {
      const event = ownEvent({ tenantId: "acme", organizationId: 9 });
      await sqs.send(["{ ours"]);
      await until(async () => (await total(server, "/dlq?source=SQS")) === 1);
      await sqs.send([event, "{ theirs"], sqs.dlqUrl);
      await until(async () => (await total(server, "/dlq?source=SQS_DLQ")) === 2);
      // They are deleted there after they are kept; our own copy stays.
      await until(async () => (await sqs.count(sqs.dlqUrl)) === 1);
      const { items } = await server.done("GET", "/dlq?source=SQS_DLQ");
      expect(items.map(({ error }: { error: string }) => error).sort()).toEqual(["PP-400-JSON", "PP-500-IO"]);
      const moved = items.find(({ error }: { error: string }) => error === "PP-500-IO");
      expect(moved).toMatchObject({ tenantId: "acme", organizationId: "9", state: "DEAD" });
      expect(moved.idempotencyKey).toContain("ObjectCreated#bkt#");
      expect(moved.reasons[0]).toContain("dead-letter queue");
      const redriven = await server.done("POST", `/dlq/${moved.id}/redrive`);
      expect(redriven).toMatchObject({ state: "REDRIVEN", created: true });
      expect(await total(server, "/dlq")).toBe(3);
    },
    60_000,
  );

  it(
    "are kept once, by the id that SQS gave them",
    () => ({ ...withSqs()(), app: { programs: { noop }, waitSeconds: 1, dlqLookMs: 100 } }),
    async (server) => {
      const deadLetterTargetArn = await sqs.arnOf(sqs.dlqUrl);
      const queue = await sqs.makeQueue("received-once", { deadLetterTargetArn, maxReceiveCount: 1 });
      await sqs.send([ownEvent({ key: "moved" })], queue);
      await until(async () => {
        await sqs.receive(queue, 0);
        return (await sqs.count(queue)) === 0;
      });
      await until(async () => (await total(server, "/dlq")) === 1 && (await sqs.count(sqs.dlqUrl)) === 0);
      const [letter] = (await server.done("GET", "/dlq")).items;
      expect(letter).toMatchObject({ source: "SQS_DLQ", error: "PP-500-IO" });
      expect(letter.idempotencyKey).toBe("ObjectCreated#bkt#moved#default");
    },
    60_000,
  );

  it(
    "are deleted as copies of settled letters, and kept again if the store has lost the letter",
    () => ({ ...withSqs()(), app: { programs: { noop }, waitSeconds: 1, dlqLookMs: 100 } }),
    async (server) => {
      await sqs.send(["{ one", "{ two"]);
      await until(async () => (await sqs.count(sqs.dlqUrl)) === 2);
      const { items } = await server.done("GET", "/dlq");
      const [settled, lost] = items as { id: string; body: string }[];
      await server.site.andon.store.transaction("test", async (tx) => {
        await tx.query("update fileflow_dlq set state = 'DISCARDED' where id = $1", [settled?.id]);
        await tx.query("delete from fileflow_dlq where id = $1", [lost?.id]);
      });
      await until(async () => (await sqs.count(sqs.dlqUrl)) === 0);
      const [again] = (await server.done("GET", "/dlq?state=DEAD")).items;
      expect(again).toMatchObject({ body: lost?.body, error: "PP-400-JSON", source: "SQS" });
    },
    60_000,
  );
});

let gate = new Gate();

describeFileflow("readiness", (it) => {
  it(
    "is degraded while SQS does not answer",
    () => ({
      app: { programs: { noop }, waitSeconds: 1 },
      settings: {
        ...(defaultPipeline(stagesOf("noop")) as object),
        sqs: { queueUrl: "http://127.0.0.1:9/q", endpoint: "http://127.0.0.1:9" },
      } as never,
    }),
    async (server) => {
      const { status, body } = await server.ask("GET", "/readyz");
      expect([status, body.status]).toEqual([200, "degraded"]);
    },
  );
});

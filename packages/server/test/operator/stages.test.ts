import { expect } from "vitest";
import { describeServers, until } from "../harness.ts";

type Film = { payload: { waits?: boolean; fails?: boolean } };
const SETTINGS = {
  queues: {
    film: {
      attempts: 1,
      onFinalFailure: "hold-lane" as const,
      stages: [{ name: "script" }, { name: "video", concurrency: 1 }],
      handler: {
        script: () => "words",
        video: ({ payload }: Film, ctx: { park(event: string, options?: object): never }) => {
          if (payload.fails) throw new Error("no film");
          return payload.waits ? ctx.park("upload", { until: "1h" }) : "film";
        },
      } as never,
    },
  },
};

describeServers("stages of a job", (it) => {
  it("are shown in the details of a job and of a failed job", SETTINGS, async (server) => {
    const client = server.client();
    const { id, ticket } = await client.queues.add({ queue: "film", payload: { fails: true } });
    await until(async () => (await client.jobs.show({ id })).state === "failed");
    const job = await client.jobs.show({ id });
    const stages = [
      { name: "script", status: "completed", attempts: 1 },
      { name: "video", status: "failed", attempts: 1 },
    ];
    expect(job).toMatchObject({ stage: "video", stages, outputs: { script: "words" } });
    expect(job.history).toMatchObject([{ stage: "video", number: 1 }]);
    expect(await client.queues.failedJob({ queue: "film", jobId: ticket })).toMatchObject({
      stage: "video",
      stages,
    });
  });

  it(
    "show what a parked job waits for; it counts as delayed and can be cancelled",
    SETTINGS,
    async (server) => {
      const client = server.client();
      const { id } = await client.queues.add({ queue: "film", payload: { waits: true } });
      await until(async () => (await client.jobs.show({ id })).state === "parked");
      const job = await client.jobs.show({ id });
      expect(job.awaits).toEqual({ event: "upload", until: expect.stringMatching(/Z$/) });
      expect(job.why.rule).toBe("job.parked-until");
      expect(job.actions).toEqual(["cancel"]);
      expect(await client.queues.status({ queue: "film" })).toMatchObject({ delayed: 1, waiting: 0 });
      expect((await client.jobs.cancel({ id, at: "boundary" })).state).toBe("cancelled");
    },
  );
});

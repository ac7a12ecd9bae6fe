import { expect, vi } from "vitest";
import { describeServers, type TestServer } from "./harness.ts";

interface Told {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** Reads a stream until `enough` returns true, and closes it. */
async function listen(
  server: TestServer,
  path: string,
  enough: (told: Told[]) => boolean,
  { token = server.adminToken, lastEventId }: { token?: string; lastEventId?: string } = {},
  whenOpen: () => Promise<void> = async () => {},
): Promise<Told[]> {
  const aborter = new AbortController();
  const response = await fetch(new URL(path, server.url), {
    signal: aborter.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const told: Told[] = [];
  let text = "";
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let isOpen = false;
  while (!enough(told)) {
    const { value, done } = await reader.read();
    if (done) break;
    if (!isOpen) await whenOpen();
    isOpen = true;
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop() as string;
    for (const message of messages) {
      const fields = Object.fromEntries(
        message.split("\n").map((line) => {
          const at = line.indexOf(": ");
          return [line.slice(0, at), line.slice(at + 2)];
        }),
      );
      const { id = "", event, data = "" } = fields;
      if (event) told.push({ id, event, data: JSON.parse(data) });
    }
  }
  aborter.abort();
  return told;
}

const untilCancelled = (_job: unknown, { signal }: { signal: AbortSignal }) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

describeServers("the event stream", (it) => {
  it("sends stops as they happen, and again after the last id", {
    queues: { mail: {} },
  }, async (server) => {
    const client = server.client();
    const told = await listen(
      server,
      "/events",
      (events) => events.some(({ event }) => event === "queue.resumed"),
      {},
      async () => {
        await client.queues.pause({ queue: "mail", reason: "looking" });
        await client.queues.resume({ queue: "mail" });
      },
    );
    const stopped = told.find(({ event }) => event === "queue.stopped") as Told;
    expect(stopped.data).toMatchObject({ type: "queue.stopped", queue: "mail", reason: "looking" });
    expect(stopped.data.at).toMatch(/Z$/);

    const again = await listen(
      server,
      "/events",
      (events) => events.some(({ event }) => event === "queue.resumed"),
      { lastEventId: stopped.id },
    );
    expect(again.map(({ event }) => event)).not.toContain("queue.stopped");
    const ids = [...told, ...again].map(({ id }) => Number(id));
    expect(ids.every((id) => Number.isInteger(id) && id > 0)).toBe(true);
  });

  it("formats the times inside a certificate like other times", {
    queues: { mail: { handler: untilCancelled as never } },
  }, async (server) => {
    const client = server.client();
    const { id } = await client.queues.add({ queue: "mail" });
    while ((await client.jobs.show({ id })).state !== "running")
      await new Promise((resolve) => setTimeout(resolve, 20));
    await client.queues.pause({ queue: "mail" });
    await client.jobs.cancel({ id });
    const [stopped] = await listen(server, "/events?lastEventId=0", (events) => events.length > 0);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(stopped?.data).toMatchObject({
      type: "queue.stopped",
      at: time,
      inFlight: [{ jobId: id, startedAt: time }],
      lastStarted: { jobId: id, at: time },
    });
  });

  it("sends nothing more to a reader whose key was revoked, and closes the stream", {
    queues: { mail: {} },
  }, async (server) => {
    const client = server.client();
    const { id, token } = await client.keys.create({ name: "reader", permissions: ["queue.read"] });
    const told = await listen(
      server,
      "/events",
      () => false,
      { token },
      async () => {
        await client.keys.revoke({ id });
        await client.queues.pause({ queue: "mail", reason: "after the end" });
      },
    );
    expect(told.map(({ event }) => event)).not.toContain("queue.stopped");
  });

  it("answers a HEAD request", { queues: {} }, async (server) => {
    const { status, headers } = await server.ask("HEAD", "/events");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  });

  it("can be limited to one queue, and shows a tenant only its own jobs", {
    queues: { mail: {}, other: {} },
  }, async (server) => {
    const client = server.client();
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    const acme = server.client(token);
    const foreign = await client.queues.add({ queue: "mail", payload: 1, tenantId: "other" });
    const mine = await acme.queues.add({ queue: "mail", payload: 1 });
    const noise = await client.queues.add({ queue: "other", payload: 1 });
    for (const { id } of [foreign, noise, mine]) await client.jobs.cancel({ id, reason: "no" });
    const told = await listen(
      server,
      "/events?queue=mail&lastEventId=0",
      (events) => events.some(({ data }) => data.jobId === mine.id),
      { token },
    );
    expect(told.map(({ data }) => data.jobId)).not.toContain(foreign.id);
    const whole = await listen(server, "/events?queue=mail&lastEventId=0", (events) =>
      events.some(({ data }) => data.jobId === mine.id),
    );
    expect(whole.map(({ data }) => data.jobId)).toContain(foreign.id);
    expect(whole.map(({ data }) => data.jobId)).not.toContain(noise.id);
  });

  it("continues with the next event if the reader's last id is beyond the end or empty", {
    queues: { mail: {} },
  }, async (server) => {
    const client = server.client();
    await client.queues.pause({ queue: "mail", reason: "before" });
    await client.queues.resume({ queue: "mail" });
    for (const [path, lastEventId] of [
      ["/events", "999999999"],
      ["/events?lastEventId=999999999", undefined],
      ["/events", ""],
    ] as const) {
      const told = await listen(
        server,
        path,
        (events) => events.some(({ event }) => event === "queue.stopped"),
        lastEventId === undefined ? {} : { lastEventId },
        async () => void (await client.queues.pause({ queue: "mail", reason: "after" })),
      );
      expect(told[0]?.data.reason).toBe("after");
      await client.queues.resume({ queue: "mail" });
    }
  });

  it("leaves no timer behind for a reader that the store refused", {}, async (server) => {
    const started = vi.spyOn(globalThis, "setInterval");
    const cleared = vi.spyOn(globalThis, "clearInterval");
    const away = vi.spyOn(server.site.andon.store.read, "lastEventId").mockRejectedValue(new Error("away"));
    try {
      for (let i = 0; i < 3; i++) expect((await server.ask("GET", "/events")).status).toBe(500);
      const beats = started.mock.results.filter((_, index) => started.mock.calls[index]?.[1] === 15_000);
      const ended = cleared.mock.calls.map(([timer]) => timer);
      expect(beats.filter(({ value }) => !ended.includes(value))).toEqual([]);
    } finally {
      for (const spy of [started, cleared, away]) spy.mockRestore();
    }
  });

  it("does not keep a server from closing", {}, async (server) => {
    const aborter = new AbortController();
    const response = await fetch(new URL("/events", server.url), {
      signal: aborter.signal,
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    const read = (response.body as ReadableStream<Uint8Array>).getReader();
    await read.read();
    await server.site.andon.transaction(async () => {});
    // The harness closes the server while this stream is open: the test would hang if the close waited for the stream.
    expect(response.status).toBe(200);
  });
});

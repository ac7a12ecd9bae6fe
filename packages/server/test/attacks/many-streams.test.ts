import { expect, vi } from "vitest";
import { describeServers, type TestServer } from "../harness.ts";

async function openStream(server: TestServer, token: string, path = "/events") {
  const aborter = new AbortController();
  const response = await fetch(new URL(path, server.url), {
    signal: aborter.signal,
    headers: { authorization: `Bearer ${token}` },
  });
  let told = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
      told += decoder.decode(piece, { stream: true });
  })().catch(() => {});
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    told: () => told,
    async close() {
      aborter.abort();
      await reading;
    },
    ended: reading,
  };
}

describeServers("many event streams of one key", (it) => {
  it("are limited, and free their places when they end", { http: { streamsPerKey: 3 } }, async (server) => {
    const token = await server.key(["queue.read"]);
    const streams = [];
    for (let i = 0; i < 3; i++) streams.push(await openStream(server, token));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await openStream(server, token);
    expect([refused.status, refused.retryAfter]).toEqual([429, "30"]);
    const another = await openStream(server, server.adminToken);
    expect(another.status).toBe(200);
    await streams[0]?.close();
    await expect
      .poll(async () => {
        const again = await openStream(server, token);
        streams.push(again);
        return again.status;
      })
      .toBe(200);
    for (const stream of [...streams, another]) await stream.close();
  });

  it("cost one read and one check of the key per event, and all receive every event", {
    queues: { mail: {} },
  }, async (server) => {
    const { id, token } = await server.client().keys.create({ name: "wall", permissions: ["queue.read"] });
    // With or without a queue: all streams of one key use the same reads.
    const path = (n: number) => (n % 2 ? "/events" : "/events?queue=mail");
    const streams = await Promise.all(
      Array.from({ length: 40 }, (_, n) => openStream(server, token, path(n))),
    );
    const reads = vi.spyOn(server.site.andon.store.read, "events");
    const looks = vi.spyOn(server.site.access, "authenticate");
    for (let i = 0; i < 10; i++) {
      await server.client().queues.pause({ queue: "mail", reason: `stop ${i}` });
      await server.client().queues.resume({ queue: "mail" });
    }
    for (const { told } of streams) await expect.poll(told).toContain("stop 9");
    for (const { told } of streams)
      expect(told().match(/"reason":"stop \d"/g)).toEqual(
        Array.from({ length: 10 }, (_, i) => `"reason":"stop ${i}"`),
      );
    const ofStreams = looks.mock.calls.filter(([{ authorization }]) => authorization === `Bearer ${token}`);
    // Separate reads would be 40 × 20 or more. The count includes the test server's own reads.
    expect(reads.mock.calls.length).toBeLessThan(100);
    expect(ofStreams.length).toBeLessThan(40);
    reads.mockRestore();
    looks.mockRestore();
    await server.client().keys.revoke({ id });
    await server.client().queues.pause({ queue: "mail", reason: "unseen" });
    await Promise.all(streams.map(({ ended }) => ended));
    for (const { told } of streams) expect(told()).not.toContain("unseen");
  });

  it("let a reader that was away catch up without missed or repeated events", {
    queues: { mail: {} },
  }, async (server) => {
    const live = await openStream(server, server.adminToken);
    for (let i = 0; i < 5; i++) {
      await server.client().queues.pause({ queue: "mail", reason: `early ${i}` });
      await server.client().queues.resume({ queue: "mail" });
    }
    const late = await openStream(server, server.adminToken, "/events?lastEventId=0");
    await server.client().queues.pause({ queue: "mail", reason: "now" });
    for (const { told } of [live, late]) {
      await expect.poll(told).toContain("now");
      const stops = told().match(/"reason":"[^"]+"/g) ?? [];
      expect(stops).toEqual([...new Set(stops)]);
      expect(stops).toHaveLength(6);
    }
    await live.close();
    await late.close();
  });
});

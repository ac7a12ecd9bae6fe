import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { BroadcastServer, STORES, until } from "./harness.ts";

interface Received {
  readonly body: string;
  readonly signature: string;
}

/** A receiver that answers with the status that the test chooses. */
async function startReceiver(answer: (count: number) => number | Promise<number>) {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const bytes of request) body += bytes;
    received.push({ body, signature: String(request.headers["x-andon-signature"]) });
    response.statusCode = await answer(received.length);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/chunks`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

const pushTo = (url: string, allowPrivateTargets = true) => ({
  broadcast: { push: { url, secret: "s3cret", allowPrivateTargets } },
  queues: { "broadcast-push": { attempts: 2, backoff: { delay: 10 } } },
});

describe.each(STORES)("pushes on %s", (store) => {
  test("go to a webhook chunk by chunk, signed, and a slow receiver delays no other chunk", async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const receiver = await startReceiver(async () => slow.then(() => 204));
    const server = await BroadcastServer.start(store, { settings: pushTo(receiver.url) });
    try {
      await server.addChannels(25);
      const id = await server.makeJob({ chunkSize: 10 });
      await server.inState(id, "COMPLETED");
      expect((await server.done("GET", `/pushes?jobId=${id}&state=SENT`)).total).toBe(0);
      release();
      await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=SENT`)).total === 25);
      expect(receiver.received).toHaveLength(3);
      const { body, signature } = receiver.received[0] as Received;
      expect(signature).toBe(`sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`);
      const channels = receiver.received.flatMap((each) => JSON.parse(each.body).channelIds);
      expect(new Set(channels).size).toBe(25);
      expect(JSON.parse(body)).toMatchObject({ jobId: id, title: "Hello", body: "World", category: "news" });
    } finally {
      release();
      await server.close();
      receiver.close();
    }
  });

  test("that a receiver refuses are FAILED with the error, and SENT after a retry", async () => {
    const receiver = await startReceiver((count) => (count <= 2 ? 500 : 204));
    const server = await BroadcastServer.start(store, { settings: pushTo(receiver.url) });
    try {
      await server.addChannels(3);
      const id = await server.makeJob();
      await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=FAILED`)).total === 3);
      expect((await server.done("GET", `/pushes?jobId=${id}`)).items[0].error).toContain("500");
      await server.done("POST", "/admin/queues/broadcast-push/retry-all");
      await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=SENT`)).total === 3);
    } finally {
      await server.close();
      receiver.close();
    }
  });

  test("never go to a private address unless the settings allow it", async () => {
    const receiver = await startReceiver(() => 204);
    const server = await BroadcastServer.start(store, { settings: pushTo(receiver.url, false) });
    try {
      await server.addChannels(1);
      const id = await server.makeJob();
      await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=FAILED`)).total === 1);
      expect((await server.done("GET", `/pushes?jobId=${id}`)).items[0].error).toContain(
        "may not be sent to",
      );
      expect(receiver.received).toHaveLength(0);
    } finally {
      await server.close();
      receiver.close();
    }
  });
});

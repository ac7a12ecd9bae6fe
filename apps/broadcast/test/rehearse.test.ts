import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { BroadcastServer, STORES, until } from "./harness.ts";

async function listening(port = 0): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

describe.each(STORES)("a rehearsal of the queue of pushes on %s", (store) => {
  test("says whether the receiver can be reached, sends nothing, and counts the recipients of each job", async () => {
    let receiver = await listening();
    let requests = 0;
    receiver.on("request", () => requests++);
    const { port } = receiver.address() as AddressInfo;
    const push = { url: `http://127.0.0.1:${port}/chunks`, allowPrivateTargets: true };
    const server = await BroadcastServer.start(store, { settings: { broadcast: { push } } });
    const rehearse = () => server.done("POST", "/admin/queues/broadcast-push/rehearse");
    try {
      await server.done("POST", "/admin/queues/broadcast-push/pause", { body: { reason: "test" } });
      await server.addChannels(25);
      const id = await server.makeJob({ chunkSize: 10 });
      await server.inState(id, "COMPLETED");
      const { destination, next } = await rehearse();
      expect(destination).toMatchObject({ ok: true, problem: null });
      expect(next.map(({ checks }: { checks: { detail: string }[] }) => checks[0]?.detail)).toEqual([
        "10 recipients",
        "10 recipients",
        "5 recipients",
      ]);
      expect(requests).toBe(0);
      await new Promise((resolve) => receiver.close(resolve));
      const away = await rehearse();
      expect(away.destination).toMatchObject({ ok: false });
      expect(away.destination.problem).toMatch(/cannot be reached/);
      expect(JSON.stringify(away)).not.toContain("/chunks");
      receiver = await listening(port);
      await server.done("POST", "/admin/queues/broadcast-push/resume");
      await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=SENT`)).total === 25);
    } finally {
      await server.close();
      receiver.closeAllConnections();
      receiver.close();
    }
  });
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface ReceivedAlert {
  readonly id: string;
  readonly type: string;
  readonly severity: string;
  readonly title: string;
  readonly message: string;
}

export interface AlertReceiver {
  /** The URL that a webhook posts to. */
  readonly url: string;
  /** The alerts received so far, oldest first. */
  readonly received: readonly ReceivedAlert[];
  close(): Promise<void>;
}

/** Opens a receiver for webhooks that is reachable only from this machine. */
export async function openAlertReceiver(): Promise<AlertReceiver> {
  const received: ReceivedAlert[] = [];
  const server = createServer(async (request, response) => {
    try {
      received.push((await json(request)) as ReceivedAlert);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

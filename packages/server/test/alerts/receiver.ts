import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
}

export type Answer = (response: ServerResponse) => void;

export const answers = {
  status:
    (code: number, headers = {}): Answer =>
    (response) =>
      response.writeHead(code, headers).end(),
  hang: () => {},
  close: (response: ServerResponse) => response.destroy(),
  /** Sends the head at once, and a body that never ends. */
  endless: (response: ServerResponse) => {
    response.writeHead(200, { "content-length": 1_000 }).write("ok");
  },
  huge: (response: ServerResponse) => {
    // Sends bytes as long as the client reads.
    response.writeHead(200);
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on("drain", pour);
    response.on("close", () => response.off("drain", pour));
    pour();
  },
};

/** A receiver of webhooks. It gives the scripted answers in order, and repeats the last one. */
export async function startReceiver(...script: Answer[]) {
  const received: Received[] = [];
  let answer = script;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ body: Buffer.concat(chunks), headers: request.headers, path: request.url ?? "" });
      const next = answer.length > 1 ? (answer.shift() as Answer) : (answer[0] ?? answers.status(204));
      next(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    script(...next: Answer[]) {
      answer = next;
    },
    bodies: () => received.map(({ body }) => JSON.parse(body.toString("utf8"))),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** A collector that keeps the spans it receives. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      if (request.url === "/v1/traces") {
        for (const { scopeSpans } of JSON.parse(text).resourceSpans)
          for (const { spans: sent } of scopeSpans) spans.push(...sent);
      }
      response.setHeader("content-type", "application/json").end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import http from "node:http";
import type { AddressInfo } from "node:net";

type Serve = (request: http.IncomingMessage, response: http.ServerResponse, body: Buffer) => void;

/** A fake external server on this machine. */
export interface Outside {
  readonly url: string;
  close(): Promise<void>;
}

export async function outside(serve: Serve): Promise<Outside> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => serve(request, response, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A fake of the resumable protocol of YouTube's Data API, with failures on request. */
export interface FakeYoutube extends Outside {
  readonly seen: { sessions: number; tokens: number; bytes: Buffer; title: string; statusQueries: number };
  /** The failure of each of the next requests, in order. */
  readonly troubles: ("none" | "cut" | "quota" | "expired-token" | "server-error" | "gone" | "lost-answer")[];
}

export async function fakeYoutube(): Promise<FakeYoutube> {
  const seen = { sessions: 0, tokens: 0, bytes: Buffer.alloc(0), title: "", statusQueries: 0 };
  const troubles: FakeYoutube["troubles"] = [];
  let isWhole = false;
  const server = await outside((request, response, body) => {
    const json = (status: number, answer: unknown, headers = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(answer));
    if (request.url === "/token") {
      seen.tokens++;
      return json(200, { access_token: `t${seen.tokens}`, expires_in: 3_600 });
    }
    if (request.headers.authorization !== `Bearer t${seen.tokens}`) return json(401, {});
    if (request.method === "POST") {
      const trouble = troubles.shift();
      if (trouble === "quota")
        return json(403, { error: { message: "quota", errors: [{ reason: "quotaExceeded" }] } });
      if (trouble === "expired-token") return json(401, {});
      if (trouble === "cut") return response.destroy();
      seen.sessions++;
      seen.bytes = Buffer.alloc(0);
      seen.title = JSON.parse(body.toString()).snippet.title;
      return response.writeHead(200, { location: `${server.url}/session/${seen.sessions}` }).end();
    }
    const [, start, total] =
      /bytes (?:\*|(\d+)-\d+)\/(\d+)/.exec(request.headers["content-range"] ?? "") ?? [];
    const more = () => {
      const range = seen.bytes.length > 0 ? { range: `bytes=0-${seen.bytes.length - 1}` } : {};
      return response.writeHead(308, range).end();
    };
    const whole = () => json(201, { id: "video-1" });
    if (start === undefined) {
      seen.statusQueries++;
      return isWhole ? whole() : more();
    }
    const trouble = troubles.shift();
    if (trouble === "gone") return json(404, {});
    if (trouble === "server-error") return json(503, {});
    if (trouble === "cut") {
      // Only part of the chunk has arrived.
      seen.bytes = Buffer.concat([seen.bytes, body.subarray(0, 1000)]);
      return response.destroy();
    }
    if (Number(start) !== seen.bytes.length) return json(400, { error: { message: "wrong offset" } });
    seen.bytes = Buffer.concat([seen.bytes, body]);
    isWhole = seen.bytes.length === Number(total);
    if (trouble === "lost-answer") return response.destroy();
    return isWhole ? whole() : more();
  });
  return { ...server, seen, troubles };
}

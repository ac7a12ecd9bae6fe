import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** How the server treats `If-None-Match: *` on a write. The emulator behind the front ignores it. */
type Conditions = "honoured" | "ignored" | "not-implemented";

export interface S3Front {
  readonly url: string;
  conditions: Conditions;
  /** How many keys the server lists at once. */
  pageSize: number;
  /**
   * Fails a request if it returns something: with a status and the name of an error, or with a connection that breaks
   * halfway.
   */
  trouble: ((request: IncomingMessage) => { status: number; name: string } | "cut" | undefined) | undefined;
  /** Ids of unfinished uploads, by key. */
  readonly uploads: ReadonlyMap<string, string>;
  onUpload: (() => void) | undefined;
  close(): Promise<void>;
}

/**
 * A proxy for the S3 emulator. It adds the parts of S3 that the emulator lacks: conditional writes and the list of
 * unfinished uploads. It can also fail like a real server.
 */
export async function startS3Front(upstream: string): Promise<S3Front> {
  const uploads = new Map<string, string>();
  let turn: Promise<unknown> = Promise.resolve();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", upstream);
    const trouble = front.trouble?.(request);
    if (trouble && trouble !== "cut") {
      request.resume();
      return answer(response, trouble.status, errorXml(trouble.name));
    }
    const body = await buffer(request);
    if (request.method === "GET" && url.searchParams.has("uploads")) {
      return answer(response, 200, uploadsXml(uploads));
    }
    if (url.searchParams.get("list-type") === "2" && !url.searchParams.has("max-keys")) {
      url.searchParams.set("max-keys", String(front.pageSize));
    }
    const isConditional = request.headers["if-none-match"] === "*" && front.conditions !== "ignored";
    if (isConditional && front.conditions === "not-implemented") {
      return answer(response, 501, errorXml("NotImplemented"));
    }
    const pass = () => forward(request, url, body, response, trouble === "cut");
    if (!isConditional) return await pass();
    // Conditional writes run one after another: nothing may happen between the lookup and the write.
    const mine = turn.then(async () => {
      const found = await fetch(new URL(url.pathname, upstream), { method: "HEAD" });
      if (found.ok) return answer(response, 412, errorXml("PreconditionFailed"));
      await pass();
    });
    turn = mine.catch(() => {});
    await mine;
  }

  async function forward(
    request: IncomingMessage,
    url: URL,
    body: Buffer,
    response: ServerResponse,
    cut: boolean,
  ): Promise<void> {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      ["host", "connection", "content-length", "transfer-encoding", "expect"].includes(name) ||
      value === undefined
        ? []
        : [[name, String(value)] as [string, string]],
    );
    const method = request.method ?? "GET";
    const withBody = method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(body) };
    const answered = await fetch(url, { method, headers, ...withBody });
    const bytes = Buffer.from(await answered.arrayBuffer());
    remember(method, url, bytes.toString("latin1"));
    const length = method === "HEAD" ? answered.headers.get("content-length") : String(bytes.length);
    const kept = [...answered.headers].filter(
      ([name]) => !["connection", "transfer-encoding", "content-length", "keep-alive"].includes(name),
    );
    response.writeHead(answered.status, {
      ...Object.fromEntries(kept),
      ...(length ? { "content-length": length } : {}),
    });
    if (!cut) return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  function remember(method: string, url: URL, answer: string): void {
    const key = decodeURIComponent(url.pathname).split("/").slice(2).join("/");
    if (method === "POST" && url.searchParams.has("uploads")) {
      uploads.set(key, /<UploadId>(.*?)<\/UploadId>/.exec(answer)?.[1] ?? "");
      front.onUpload?.();
    } else if (url.searchParams.has("uploadId") && method !== "PUT") {
      uploads.delete(key);
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const front: S3Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    conditions: "honoured",
    pageSize: 10,
    trouble: undefined,
    uploads,
    onUpload: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return front;
}

function answer(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(xml);
}

function errorXml(name: string): string {
  return `<?xml version="1.0"?><Error><Code>${name}</Code><Message>${name}</Message></Error>`;
}

function uploadsXml(uploads: ReadonlyMap<string, string>): string {
  const rows = [...uploads].map(
    ([key, id]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
  );
  return `<?xml version="1.0"?><ListMultipartUploadsResult>${rows.join("")}</ListMultipartUploadsResult>`;
}

import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

export interface Upload {
  name: string;
  size: number;
  bytes: () => AsyncIterable<Buffer>;
}

export interface Uploaded {
  name: string;
  size: number;
  sha256: string;
}

const BOUNDARY = "andon-bench-boundary";
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** A client that sends files over connections that are kept alive. */
export class Uploader {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #token: string;

  constructor(server: { url: string; token: string }, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#url = server.url;
    this.#token = server.token;
  }

  async upload(file: Upload): Promise<Uploaded> {
    const head = Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\n` +
        "content-type: application/octet-stream\r\n\r\n",
    );
    const sending = request(new URL("/files/upload", this.#url), {
      method: "POST",
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.#token}`,
        "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
        "content-length": head.length + file.size + TAIL.length,
      },
    });
    const answering = once(sending, "response") as Promise<[IncomingMessage]>;
    await pipeline(async function* () {
      yield head;
      yield* file.bytes();
      yield TAIL;
    }, sending);
    const [answer] = await answering;
    const body = await text(answer);
    if (answer.statusCode !== 200)
      throw new Error(`upload of ${file.name} answered ${answer.statusCode}: ${body}`);
    return JSON.parse(body) as Uploaded;
  }

  close(): void {
    this.#agent.destroy();
  }
}

import { Connection } from "../http/connection.ts";

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
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

/** A client that uploads files over keep-alive connections, with at most one upload per connection at a time. */
export class Uploader {
  readonly #free: Connection[];
  readonly #token: string;

  private constructor(connections: Connection[], token: string) {
    this.#free = connections;
    this.#token = token;
  }

  static async open(server: { url: string; token: string }, connections: number): Promise<Uploader> {
    const opened = Array.from({ length: connections }, () => Connection.open(server.url));
    return new Uploader(await Promise.all(opened), server.token);
  }

  async upload(file: Upload): Promise<Uploaded> {
    const connection = this.#free.pop();
    if (!connection) throw new Error("more uploads at once than connections");
    const head = this.#head(connection.host, file);
    const { status, body } = await connection.sendPieces(
      (async function* () {
        yield head;
        yield* file.bytes();
        yield Buffer.from(TAIL);
      })(),
    );
    this.#free.push(connection);
    if (status !== 200) throw new Error(`upload of ${file.name} answered ${status}: ${body}`);
    return JSON.parse(body.toString()) as Uploaded;
  }

  close(): void {
    for (const connection of this.#free) connection.close();
  }

  #head(host: string, { name, size }: Upload): Buffer {
    const part =
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
      "content-type: application/octet-stream\r\n\r\n";
    const lines = [
      "POST /files/upload HTTP/1.1",
      `host: ${host}`,
      `authorization: Bearer ${this.#token}`,
      `content-type: multipart/form-data; boundary=${BOUNDARY}`,
      `content-length: ${Buffer.byteLength(part) + size + TAIL.length}`,
    ];
    return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${part}`);
  }
}

import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Answer {
  status: number;
  body: Buffer;
}

export interface Call {
  method: "GET" | "POST";
  path: string;
  token?: string;
  body?: unknown;
}

const HEAD_END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);

/**
 * One keep-alive connection with one request at a time. It parses no more of an answer than it needs: on a machine where
 * client and server share the cores, a client as costly as the server would distort the measurement.
 */
export class Connection {
  readonly #socket: Socket;
  readonly host: string;
  #received: Buffer = NOTHING;
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.host = host;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => this.#settle?.reject(new Error("the server closed the connection")));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new Connection(socket, host);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The bytes of a request, encoded before the time is taken. */
  encode({ method, path, token, body }: Call): Buffer {
    const content = body === undefined ? "" : JSON.stringify(body);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `host: ${this.host}`,
      ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
      ...(body === undefined
        ? []
        : ["content-type: application/json", `content-length: ${Buffer.byteLength(content)}`]),
    ];
    return Buffer.from(lines.join("\r\n") + HEAD_END + content);
  }

  send(request: Buffer): Promise<Answer> {
    const answer = this.#answer();
    this.#socket.write(request);
    return answer;
  }

  /** Sends a request in pieces, no faster than the server accepts them. */
  async sendPieces(pieces: AsyncIterable<Buffer>): Promise<Answer> {
    const answer = this.#answer();
    // A server that answers before the end refuses the request. The caller gets that answer below.
    answer.catch(() => {});
    // What fits into the buffer is sent in one write, as from a client that has the file in memory.
    this.#socket.cork();
    for await (const piece of pieces) {
      if (this.#socket.write(piece)) continue;
      this.#socket.uncork();
      if (this.#socket.writableNeedDrain) await once(this.#socket, "drain");
      this.#socket.cork();
    }
    this.#socket.uncork();
    return answer;
  }

  #answer(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  async json<T>(call: Call): Promise<T> {
    const { status, body } = await this.send(this.encode(call));
    const text = body.toString();
    if (status >= 300) throw new Error(`${call.method} ${call.path} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#settle?.reject(new Error(`an answer without a length: ${head}`));
      return;
    }
    const start = headEnd + HEAD_END.length;
    const end = start + Number(length);
    if (this.#received.length < end) return;
    const body = this.#received.subarray(start, end);
    this.#received = NOTHING;
    this.#settle?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}

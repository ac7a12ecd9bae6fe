import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The way to an SQS server, which can be cut, or let some actions through and not others. */
export class SqsLine {
  readonly #server: Server;
  readonly #target: URL;
  #isCut = false;
  #withheld: readonly string[] = [];
  /** Requests that were withheld, by action. */
  readonly held = new Map<string, number>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, answer) => this.#pass(incoming, answer));
  }

  static async to(target: string): Promise<SqsLine> {
    const line = new SqsLine(target);
    line.#server.listen(0, "127.0.0.1");
    await once(line.#server, "listening");
    return line;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks what is open and refuses what comes, as a network that is gone. */
  cut(): void {
    this.#isCut = true;
    this.#server.closeAllConnections();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** These actions never reach the server; their callers hear nothing until the line breaks. */
  withhold(...actions: string[]): void {
    this.#withheld = actions;
  }

  /** Lets everything through again; whoever waits for a withheld action is told of a broken line. */
  release(): void {
    this.#withheld = [];
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    if (this.#isCut) return void incoming.socket.destroy();
    const action = String(incoming.headers["x-amz-target"] ?? "").replace("AmazonSQS.", "");
    if (this.#withheld.includes(action)) {
      this.held.set(action, (this.held.get(action) ?? 0) + 1);
      return void incoming.resume();
    }
    const { hostname, port } = this.#target;
    const passed = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    incoming.on("error", () => passed.destroy());
    incoming.pipe(passed);
  }
}

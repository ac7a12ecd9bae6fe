import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy to an SQS server. It can cut all connections, or withhold some actions. */
export class SqsProxy {
  readonly #server: Server;
  readonly #target: URL;
  #isCut = false;
  #withheld: readonly string[] = [];
  /** The number of withheld requests, by action. */
  readonly held = new Map<string, number>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, answer) => this.#pass(incoming, answer));
  }

  static async to(target: string): Promise<SqsProxy> {
    const proxy = new SqsProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes open connections and refuses new ones, like a network failure. */
  cut(): void {
    this.#isCut = true;
    this.#server.closeAllConnections();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** These actions never reach the server; their callers get no answer until the connection breaks. */
  withhold(...actions: string[]): void {
    this.#withheld = actions;
  }

  /** Lets everything through again. Callers of withheld actions get a connection error. */
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

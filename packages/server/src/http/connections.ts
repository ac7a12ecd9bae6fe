import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Tracks the connections of a server, so that it can close without waiting for idle ones. Node's own `closeIdleConnections`
 * leaves open a connection without a request so far, and browsers open such connections in advance.
 */
export class Connections {
  readonly #answering = new Map<Socket, number>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#answering.set(socket, 0);
      socket.once("close", () => this.#answering.delete(socket));
    });
    server.on("request", ({ socket }, response) => {
      this.#count(socket, 1);
      response.once("close", () => this.#count(socket, -1));
    });
  }

  closeIdle(): void {
    for (const [socket, answers] of this.#answering) if (answers === 0) socket.destroy();
  }

  #count(socket: Socket, change: number): void {
    const answers = this.#answering.get(socket);
    if (answers !== undefined) this.#answering.set(socket, answers + change);
  }
}

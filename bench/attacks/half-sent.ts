import { once } from "node:events";
import { connect, type Socket } from "node:net";

const DECLARED = 1_000_000;
const SENT = 256 * 1024;

/**
 * Sends requests whose bodies stop halfway. Returns how many of them the server has ended, by an answer or by closing the
 * connection.
 */
export async function sendHalfBodies(
  server: { url: string; token: string },
  path: string,
  count: number,
): Promise<{ ended(): number; close(): void }> {
  const { hostname, port, host } = new URL(server.url);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${server.token}`,
    "content-type: application/json",
    `content-length: ${DECLARED}`,
    "",
    "",
  ].join("\r\n");
  const half = Buffer.from(`${head}{"reason": "${"x".repeat(SENT)}`);
  const sockets: Socket[] = [];
  let ended = 0;
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.on("data", () => {});
    socket.once("close", () => ended++);
    await once(socket, "connect");
    socket.write(half);
    sockets.push(socket);
  }
  return {
    ended: () => ended,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

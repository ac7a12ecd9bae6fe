import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Opens this many event streams with one key. Returns how many of them the server accepted. */
export async function openStreams(
  server: { url: string; token: string },
  count: number,
): Promise<{ open: number; close(): void }> {
  const { hostname, port, host } = new URL(server.url);
  const sockets: Socket[] = [];
  let open = 0;
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(`GET /events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${server.token}\r\n\r\n`);
    const [first] = (await once(socket, "data")) as [Buffer];
    if (first.toString("latin1").startsWith("HTTP/1.1 200")) open++;
    socket.on("data", () => {});
    sockets.push(socket);
  }
  return {
    open,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

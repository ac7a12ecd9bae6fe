import type { Socket } from "node:net";
import type pg from "pg";

/** How long a server has to hang up after it was told goodbye. */
export const GOODBYE_MS = 1_000;

/** Ends a connection without a word; whoever waits for an answer on it is told why. */
export function cut(client: pg.ClientBase, why?: Error): void {
  socketOf(client).destroy(why);
}

/** As many bytes as have come from the server. */
export function heardBy(client: pg.ClientBase): number {
  return socketOf(client).bytesRead;
}

/** Ends a connection in order, and without a word where the server does not hang up. */
export async function endOf(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), GOODBYE_MS);
  await client.end().catch(() => {});
  clearTimeout(late);
}

/** The driver shows it for its plain clients alone, and those of a pool are plain ones. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket;
}

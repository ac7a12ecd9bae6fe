import type { Socket } from "node:net";
import type pg from "pg";

/** How long a server has to hang up after it was told goodbye. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Ends a connection without a word; whoever waits for an answer on it is told why. */
export function cut(client: pg.ClientBase, why?: Error): void {
  socketOf(client).destroy(why);
}

/** As many bytes as have come from the server. */
export function heardBy(client: pg.ClientBase): number {
  return socketOf(client).bytesRead;
}

/** As many bytes as were given to it for the server. */
export function saidBy(client: pg.ClientBase): number {
  return socketOf(client).bytesWritten;
}

/** Whether all that was said has left this process, and an answer to it is still to come. */
export function isOwedAnswer(client: pg.ClientBase): boolean {
  const { readyForQuery } = client as pg.ClientBase & { readonly readyForQuery?: boolean };
  return readyForQuery === false && socketOf(client).writableLength === 0;
}

/** The number of the server's process at its other end; null where none was told. */
export function backendOf(client: pg.ClientBase): number | null {
  return (client as pg.ClientBase & { readonly processID: number | null }).processID;
}

/** Ends a connection in order, and without a word where the server does not hang up. */
export async function endOf(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), CLOSE_TIMEOUT_MS);
  await client.end().catch(() => {});
  clearTimeout(late);
}

/** The driver shows it for its plain clients alone, and those of a pool are plain ones. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket;
}

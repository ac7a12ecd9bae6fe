import type { Socket } from "node:net";
import type pg from "pg";

/** How long a server has to close its side after it was asked to. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Destroys a connection without notice to the server; statements that wait for an answer fail with `why`. */
export function destroyConnection(client: pg.ClientBase, why?: Error): void {
  socketOf(client).destroy(why);
}

/** Bytes received from the server. */
export function bytesReceived(client: pg.ClientBase): number {
  return socketOf(client).bytesRead;
}

/** Bytes sent to the server. */
export function bytesSent(client: pg.ClientBase): number {
  return socketOf(client).bytesWritten;
}

/** Whether everything sent has left this process and its answer is outstanding. */
export function isOwedAnswer(client: pg.ClientBase): boolean {
  const { readyForQuery } = client as pg.ClientBase & { readonly readyForQuery?: boolean };
  return readyForQuery === false && socketOf(client).writableLength === 0;
}

/** The pid of the server process at the other end; null if it is not known. */
export function backendOf(client: pg.ClientBase): number | null {
  return (client as pg.ClientBase & { readonly processID: number | null }).processID;
}

/** Closes a connection properly, and destroys it if the server does not close its side. */
export async function endOf(client: pg.Client): Promise<void> {
  const late = setTimeout(() => destroyConnection(client), CLOSE_TIMEOUT_MS);
  await client.end().catch(() => {});
  clearTimeout(late);
}

/** The driver's types expose the socket only for plain clients; those of a pool are plain clients. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket;
}

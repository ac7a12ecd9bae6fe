import type { Settings } from "./config/settings.ts";

/** Hosts that mean every address of the machine, and so are none that a browser could open. */
const WILDCARDS = new Set(["0.0.0.0", "::", "[::]"]);
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/** Whether only programs of this machine reach this host. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return LOOPBACK.has(name) || /^127(\.\d{1,3}){3}$/.test(name) || name.endsWith(".localhost");
}

export function isWildcard(host: string): boolean {
  return WILDCARDS.has(host);
}

/** Where it listens, as something that can be opened on this machine. */
export function listeningUrl(host: string, port: number): string {
  const name = isWildcard(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Where pages of our own console come from. On one's own machine both names of it are the same place. */
export function ownOrigins(settings: Pick<Settings, "host" | "publicUrl">, port: number): string[] {
  const origins = new Set([new URL(listeningUrl(settings.host, port)).origin]);
  if (settings.publicUrl) origins.add(new URL(settings.publicUrl).origin);
  if (LOOPBACK.has(settings.host) || isWildcard(settings.host)) {
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) origins.add(`http://${name}:${port}`);
  }
  return [...origins];
}

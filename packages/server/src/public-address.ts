import type { Settings } from "./config/settings.ts";

/** Hosts that stand for every address of the machine, so that a browser cannot open them. */
const WILDCARDS = new Set(["0.0.0.0", "::", "[::]"]);
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/** Whether only programs on this machine can reach this host. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return LOOPBACK.has(name) || /^127(\.\d{1,3}){3}$/.test(name) || name.endsWith(".localhost");
}

export function isWildcard(host: string): boolean {
  return WILDCARDS.has(host);
}

/** The listening address as a URL that can be opened on this machine. */
export function listeningUrl(host: string, port: number): string {
  const name = isWildcard(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The origins of our own console. For a loopback host, all names of the local machine count. */
export function ownOrigins(settings: Pick<Settings, "host" | "publicUrl">, port: number): string[] {
  const origins = new Set([new URL(listeningUrl(settings.host, port)).origin]);
  if (settings.publicUrl) origins.add(new URL(settings.publicUrl).origin);
  if (LOOPBACK.has(settings.host) || isWildcard(settings.host)) {
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) origins.add(`http://${name}:${port}`);
  }
  return [...origins];
}

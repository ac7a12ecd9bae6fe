import { createHash, createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";

/** What a `known_hosts` file contains about one host. */
export interface KnownHost {
  readonly types: readonly string[];
  /** Fingerprints of its keys. */
  readonly trusted: readonly string[];
  readonly revoked: readonly string[];
}

const NOBODY: KnownHost = { types: [], trusted: [], revoked: [] };

/** `SHA256:…`, as ssh and ssh-keygen print it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/**
 * Looks up a host in the `known_hosts` file of `ssh`. Host certificates are not supported: a host that only a
 * certificate authority vouches for is unknown.
 */
export async function lookUpHost(file: string, host: string, port: number): Promise<KnownHost> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const name = port === 22 ? host : `[${host}]:${port}`;
  let found = NOBODY;
  for (const line of text.split("\n")) {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith("@") ? words.shift() : undefined;
    const [hosts = "", type = "", key = ""] = words;
    if (hosts.startsWith("#") || key === "" || marker === "@cert-authority" || !names(hosts, name)) continue;
    const fingerprint = fingerprintOf(Buffer.from(key, "base64"));
    found =
      marker === "@revoked"
        ? { ...found, revoked: [...found.revoked, fingerprint] }
        : { ...found, types: [...found.types, type], trusted: [...found.trusted, fingerprint] };
  }
  return found;
}

function names(hosts: string, name: string): boolean {
  if (hosts.startsWith("|1|")) {
    const [, , salt = "", hash] = hosts.split("|");
    return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash;
  }
  const patterns = hosts.split(",");
  const isNamed = (pattern: string) => patternOf(pattern).test(name);
  if (patterns.some((pattern) => pattern.startsWith("!") && isNamed(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith("!") && isNamed(pattern));
}

function patternOf(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
}

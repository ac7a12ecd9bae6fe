import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { parseServerUrl, secretFrom } from "../server-address.ts";

const SFTP_FORM = "sftp://<user>[:<password>]@<host>[:<port>]/<path>?key=<file>&hostKey=SHA256:…";

export interface SftpAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  /** A file with a private key. */
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
  /** Fingerprints (`SHA256:…`) of which the host must show one; empty: the file of known hosts decides. */
  readonly hostKeys: readonly string[];
  readonly knownHosts: string;
  /** The root as the server is asked for it. */
  readonly root: string;
  /** What to call it in messages. */
  readonly place: string;
}

/**
 * Reads `sftp://user@host:port/path?key=…&hostKey=…`. The path is absolute; `/~/path` starts in the folder where a login
 * begins.
 */
export function parseSftpUrl(url: string): SftpAddress {
  const address = parseServerUrl(url, {
    scheme: "sftp",
    form: SFTP_FORM,
    options: ["key", "passphraseEnv", "passwordEnv", "hostKey", "knownHosts"],
  });
  const { host, port = 22, path, options } = address;
  const isIpv6 = host.includes(":");
  return {
    host,
    port,
    user: address.user || userInfo().username,
    password: address.password ?? secretFrom(options("passwordEnv")[0], "passwordEnv"),
    key: options("key")[0],
    passphrase: secretFrom(options("passphraseEnv")[0], "passphraseEnv"),
    hostKeys: options("hostKey").map((given) => given.replace(/=+$/, "")),
    knownHosts: options("knownHosts")[0] ?? join(homedir(), ".ssh", "known_hosts"),
    root: /^\/~(\/|$)/.test(path) ? `.${path.slice(2)}` : path || "/",
    place: `sftp://${isIpv6 ? `[${host}]` : host}${port === 22 ? "" : `:${port}`}${path || "/"}`,
  };
}

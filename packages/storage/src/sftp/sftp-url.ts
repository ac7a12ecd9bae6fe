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
  /** The accepted fingerprints (`SHA256:…`) of the host key; if empty, the `known_hosts` file decides. */
  readonly hostKeys: readonly string[];
  readonly knownHosts: string;
  /** The root, in the form that the server gets. */
  readonly root: string;
  /** The name of the place in messages. */
  readonly place: string;
}

/**
 * Parses `sftp://user@host:port/path?key=…&hostKey=…`. The path is absolute; `/~/path` starts in the folder where a
 * login begins.
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

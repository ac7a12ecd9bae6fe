import { parseServerUrl, secretFrom } from "../server-address.ts";

const WEBDAV_FORM = "webdavs://<user>:<password>@<host>[:<port>]/<path>?ca=<file>";

export interface WebdavAddress {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** A file with certificates of authorities that are trusted in addition to Node's own. */
  readonly ca: string | undefined;
  /** The names in the path of the root. */
  readonly root: readonly string[];
  /** The name of the place in messages. */
  readonly place: string;
}

/** Parses `webdav://` (HTTP) and `webdavs://` (HTTPS). */
export function parseWebdavUrl(url: string): WebdavAddress {
  const isSecure = /^webdavs:/i.test(url);
  const scheme = isSecure ? "webdavs" : "webdav";
  const address = parseServerUrl(url, { scheme, form: WEBDAV_FORM, options: ["ca", "passwordEnv"] });
  const { host, path, options } = address;
  const usualPort = isSecure ? 443 : 80;
  const port = address.port ?? usualPort;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    isSecure,
    host,
    port,
    user: address.user,
    password: address.password ?? secretFrom(options("passwordEnv")[0], "passwordEnv") ?? "",
    ca: options("ca")[0],
    root: path.split("/").filter((name) => name !== ""),
    place: `${scheme}://${shownHost}${port === usualPort ? "" : `:${port}`}${path || "/"}`,
  };
}

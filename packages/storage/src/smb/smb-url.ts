import { AndonError, didYouMean } from "@andon/contract";
import { nameProblem } from "../names.ts";

export interface SmbAddress {
  readonly host: string;
  /** Undefined: the default port. */
  readonly port: string | undefined;
  readonly share: string;
  /** The folders of the share that lead to the root. */
  readonly root: readonly string[];
  readonly domain: string | undefined;
  /** Undefined: the credentials file names the user, or the login is that of a guest. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** A file with lines `username=`, `password=` and `domain=`, as `mount.cifs` reads it. */
  readonly credentials: string | undefined;
  /** The environment variable that holds the password. */
  readonly passwordEnv: string | undefined;
  /** Whether a connection that is not encrypted is refused. */
  readonly isEncrypted: boolean;
  /** The address without user, password and options. */
  readonly place: string;
}

type Options = Pick<SmbAddress, "credentials" | "passwordEnv" | "isEncrypted">;

/** Each returns undefined for a value that is not allowed. */
const OPTIONS: Record<string, (value: string) => Partial<Options> | undefined> = {
  credentials: (credentials) => (credentials === "" ? undefined : { credentials }),
  passwordEnv: (passwordEnv) => (/^\w+$/.test(passwordEnv) ? { passwordEnv } : undefined),
  encrypt: (value) => (value === "required" ? { isEncrypted: true } : undefined),
};

const SMB_FORM = "smb://[<domain>;]<user>:<password>@<host>/<share>/<path>";

/** Host names, IPv4 addresses, and IPv6 addresses in brackets. */
const HOST = /^(?:[a-z0-9_][a-z0-9._-]*|\[[0-9a-f:.]+\])$/i;

/** smbclient reads a `%` in a user name as the start of a password, and a slash as the end of a domain. */
const USER = /^[^%\\/;\p{Cc}]+$/u;

/** Parses `smb://[domain;]user:password@host[:port]/share/path?credentials=…&passwordEnv=…&encrypt=required`. */
export function parseSmbUrl(url: string): SmbAddress {
  if (!URL.canParse(url)) throw wrong();
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const [share = "", ...root] = decoded(pathname)
    .split("/")
    .filter((name) => name !== "");
  const [user = "", domain] = decoded(username).split(";").reverse();
  if (!HOST.test(hostname) || share === "") throw wrong();
  if ([share, ...root].some((name) => nameProblem(name, { windows: true }))) throw wrong();
  if ([user, domain].some((name) => name && !USER.test(name))) throw wrong();
  const options = optionsOf(searchParams);
  const place = `smb://${hostname}${port === "" ? "" : `:${port}`}/${[share, ...root].join("/")}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port || undefined,
    share,
    root,
    domain: domain || undefined,
    user: user || undefined,
    password: password === "" ? undefined : decoded(password),
    ...options,
    place,
  };
}

function optionsOf(given: URLSearchParams): Options {
  let options: Options = { credentials: undefined, passwordEnv: undefined, isEncrypted: false };
  for (const [name, value] of given) {
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (!option) {
      const hint = didYouMean(name, Object.keys(OPTIONS));
      throw new AndonError("UNKNOWN_OPTION", { where: "the SMB address", option: name, hint });
    }
    const set = option(value);
    if (!set) throw wrong(`?${name}=…`);
    options = { ...options, ...set };
  }
  return options;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong();
  }
}

/** The address may contain a password, so the error repeats only its scheme. */
function wrong(part = ""): AndonError {
  return new AndonError("STORAGE_URL", {
    given: `smb://…${part}`,
    hint: `${SMB_FORM}, ?credentials=<file>, ?passwordEnv=<name>, ?encrypt=required.`,
  });
}

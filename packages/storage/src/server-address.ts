import { AndonError, didYouMean } from "@andon/contract";

/** The parts of `<scheme>://[user[:password]@]host[:port]/path?option=…` that drivers of servers share. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string;
  readonly password: string | undefined;
  /** Absolute, without a slash at its end; empty for the root. */
  readonly path: string;
  /** The values of an option, in the order given. */
  options(name: string): readonly string[];
}

interface Form {
  readonly scheme: string;
  /** How such an address is written. */
  readonly form: string;
  readonly options: readonly string[];
}

/** Parses an address. It may contain a password, so no error repeats it. */
export function parseServerUrl(url: string, { scheme, form, options }: Form): ServerAddress {
  const refused = () => new AndonError("STORAGE_URL", { given: `${scheme}://…`, hint: `${form}.` });
  if (!URL.canParse(url)) throw refused();
  const { hostname, port, username, password, pathname, search } = new URL(url);
  if (hostname === "") throw refused();
  // A plus sign does not mean a space here: fingerprints contain it.
  const given = new URLSearchParams(search.replaceAll("+", "%2B"));
  for (const name of given.keys()) {
    if (options.includes(name)) continue;
    const hint = didYouMean(name, options);
    throw new AndonError("UNKNOWN_OPTION", { where: `the ${scheme} address`, option: name, hint });
  }
  const decoded = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      throw refused();
    }
  };
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? undefined : Number(port),
    user: decoded(username),
    password: password === "" ? undefined : decoded(password),
    path: decoded(pathname).replace(/\/+/g, "/").replace(/\/$/, ""),
    options: (name) => given.getAll(name),
  };
}

/** Reads a secret from an environment variable, so that no file and no address contains it. */
export function secretFrom(variable: string | undefined, where: string): string | undefined {
  if (variable === undefined) return undefined;
  const secret = process.env[variable];
  if (secret === undefined || secret === "") {
    throw new AndonError("STORAGE_URL", {
      given: `${where}=${variable}`,
      hint: `${where} names a variable of the environment that is set.`,
    });
  }
  return secret;
}

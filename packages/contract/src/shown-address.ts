const LOCAL = /^(sqlite|file):/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** As libpq takes it instead of a URL: `host=… password=…`. */
const NAMED_SECRET = /((?:password|secret|token)\s*=\s*)(?:'[^']*'|\S+)/gi;

/**
 * An address without its login and its query, so that it can be shown; this also works for an address that is no valid URL. An
 * unescaped `?` in a password does not begin the query.
 */
export function shownAddress(address: string): string {
  if (LOCAL.test(address)) return address;
  const [place = "", ...query] = address.split("?");
  const isLoginCut = !place.includes("@") && query.some((part) => part.includes("@"));
  const shown = withoutLogin(isLoginCut ? address : place).replace(NAMED_SECRET, "$1***");
  return query.length === 0 || isLoginCut ? shown : `${shown}?…`;
}

function withoutLogin(place: string): string {
  const login = place.lastIndexOf("@");
  return login < 0 ? place : `${SCHEME.exec(place)?.[0] ?? ""}***${place.slice(login)}`;
}

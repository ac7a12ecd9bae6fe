const LOCAL = /^(sqlite|file):/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** As libpq takes it instead of a URL: `host=… password=…`. */
const NAMED_SECRET = /((?:password|secret|token)\s*=\s*)(?:'[^']*'|\S+)/gi;

/**
 * An address as it may be shown: who logs in, and what a query carries, is left out, also of one that is written wrongly. A
 * `?` in a password that was not escaped begins no query.
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

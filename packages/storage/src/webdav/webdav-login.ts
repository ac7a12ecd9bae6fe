import { createHash, randomBytes } from "node:crypto";

/** The login that a server asks for, and how often it was used. */
export interface Challenge {
  readonly scheme: "basic" | "digest";
  readonly parts: Readonly<Record<string, string>>;
  uses: number;
}

const HASHES: Record<string, string> = { MD5: "md5", "SHA-256": "sha256", "SHA-512-256": "sha512-256" };

/**
 * The strongest scheme that a server offers: a digest never sends the password itself. Undefined if none is supported.
 */
export function challengeOf(headers: readonly string[]): Challenge | undefined {
  const offered = headers.flatMap((header) => challengesIn(header));
  const digests = offered.filter(
    ({ scheme, parts }) => scheme === "digest" && hashOf(parts.algorithm) !== undefined,
  );
  const strongest = digests.find(({ parts }) => !/^md5/i.test(parts.algorithm ?? "md5")) ?? digests[0];
  return strongest ?? offered.find(({ scheme }) => scheme === "basic");
}

/** The header `Authorization` of a request. */
export function authorization(
  challenge: Challenge,
  { user, password }: { user: string; password: string },
  request: { method: string; path: string },
): string {
  if (challenge.scheme === "basic") return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const { realm = "", nonce = "", opaque, algorithm, qop } = challenge.parts;
  const hash = (text: string) =>
    createHash(hashOf(algorithm) ?? "md5")
      .update(text)
      .digest("hex");
  const cnonce = randomBytes(8).toString("hex");
  const count = (++challenge.uses).toString(16).padStart(8, "0");
  const isSession = /-sess$/i.test(algorithm ?? "");
  const secret = hash(`${user}:${realm}:${password}`);
  const ha1 = isSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const ha2 = hash(`${request.method}:${request.path}`);
  const hasQop = qop?.split(",").some((offered) => offered.trim() === "auth") ?? false;
  const response = hash(hasQop ? `${ha1}:${nonce}:${count}:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`);
  const quoted = { username: user, realm, nonce, uri: request.path, response, ...(opaque ? { opaque } : {}) };
  return [
    `Digest ${Object.entries(quoted)
      .map(([name, value]) => `${name}="${value.replace(/["\\]/g, "\\$&")}"`)
      .join(", ")}`,
    ...(algorithm ? [`algorithm=${algorithm}`] : []),
    ...(hasQop ? [`qop=auth, nc=${count}, cnonce="${cnonce}"`] : []),
  ].join(", ");
}

function hashOf(algorithm = "MD5"): string | undefined {
  return HASHES[algorithm.toUpperCase().replace(/-SESS$/, "")];
}

/** One header can contain several challenges; each begins with a word that is not followed by an equals sign. */
function challengesIn(header: string): Challenge[] {
  return [
    ...header.matchAll(
      /(?:^|,\s*)(basic|digest)\s+((?:[\w-]+=(?:"(?:[^"\\]|\\.)*"|[^\s,]*)(?:,\s*(?=[\w-]+=))?)*)/gi,
    ),
  ].map(([, scheme = "", text = ""]) => ({
    scheme: scheme.toLowerCase() as Challenge["scheme"],
    parts: Object.fromEntries(
      [...text.matchAll(/([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]*))/g)].map(([, name = "", quoted, bare]) => [
        name.toLowerCase(),
        (quoted ?? bare ?? "").replace(/\\(.)/g, "$1"),
      ]),
    ),
    uses: 0,
  }));
}

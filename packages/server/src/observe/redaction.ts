/** Names whose values are never written, wherever they stand in what is logged. */
const HIDDEN =
  /^(authorization|cookie|set-cookie|payload|body|data|smtp|.*token|.*secret|.*password|.*api-?key)$/i;
const HIDDEN_MARK = "[hidden]";
const DEEPEST = 6;

/** A copy of what is to be logged, without secrets and payloads. Errors keep what names them, and nothing else. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[deep]";
  if (value instanceof Error) return errorFacts(value, depth);
  if (value instanceof Date || value instanceof URL) return String(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      HIDDEN.test(key) && item !== undefined && item !== null ? HIDDEN_MARK : redacted(item, depth + 1),
    ]),
  );
}

/** Drivers put statements, parameters and rows on their errors: only what is known to be harmless is taken. */
function errorFacts(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(error.cause === undefined ? {} : { cause: redacted(error.cause, depth + 1) }),
  };
}

/**
 * A finished line, whose texts may quote an address with a password in it: `scheme://user:password@`. Its parts are searched
 * one after the other and none twice, since a line may be as long as a request: a pattern would try each colon with each `@`.
 */
export function withoutLogins(line: string): string {
  if (!line.includes("@")) return line;
  const pieces = line.split("@");
  const last = pieces.pop() as string;
  return [...pieces.map(withoutLogin), last].join("@");
}

const BLANK_OR_QUOTE = /[\s"]/;

/** What stands before an `@`, with a login at its end hidden. */
function withoutLogin(text: string): string {
  let start = text.length;
  while (start > 0 && !BLANK_OR_QUOTE.test(text[start - 1] as string)) start--;
  for (let at = text.indexOf("://", start); at >= 0; at = text.indexOf("://", at + 3)) {
    const colon = text.indexOf(":", at + 3);
    const slash = text.indexOf("/", at + 3);
    if (colon >= 0 && (slash < 0 || colon < slash)) return `${text.slice(0, at + 3)}***`;
  }
  return text;
}

/** Names whose values are never logged, at any depth. */
const HIDDEN =
  /^(authorization|cookie|set-cookie|payload|body|data|smtp|.*token|.*secret|.*password|.*api-?key)$/i;
const HIDDEN_MARK = "[hidden]";
const DEEPEST = 6;

/** A copy for the log, without secrets and payloads. Errors keep only the members that identify them. */
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

/** Drivers add statements, parameters and rows to their errors, so only known harmless members are copied. */
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
 * A finished line without logins in quoted addresses: `scheme://user:password@`. It searches each part once, because a line may be
 * as long as a request, and a regular expression would try each colon with each `@`.
 */
export function withoutLogins(line: string): string {
  if (!line.includes("@")) return line;
  const pieces = line.split("@");
  const last = pieces.pop() as string;
  return [...pieces.map(withoutLogin), last].join("@");
}

const BLANK_OR_QUOTE = /[\s"]/;

/** The text before an `@`, with a login at its end hidden. */
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

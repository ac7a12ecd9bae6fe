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

const LOGIN_IN_ADDRESS = /(:\/\/)[^\s/@"]*:[^\s@"]*@/g;

/** A finished line, whose texts may quote an address with a password in it. */
export function withoutLogins(line: string): string {
  return line.replace(LOGIN_IN_ADDRESS, "$1***@");
}

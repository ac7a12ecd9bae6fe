/** The shortest readable text for an error: a system code such as `ECONNREFUSED`, else the message, else any other code. */
export function problemOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return code;
  return error instanceof Error && error.message !== "" ? error.message : (code ?? String(error));
}

/** The error's `code`, as set by the system or a library. */
export function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** What went wrong, as short as it can be said: `ECONNREFUSED`, or the message where the code says nothing to people. */
export function problemOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return code;
  return error instanceof Error && error.message !== "" ? error.message : (code ?? String(error));
}

/** The code that the system or a library gave it. */
export function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

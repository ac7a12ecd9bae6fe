/** What smbclient printed instead of doing what it was told. Its code is the status of the server (`NT_STATUS_…`), where it gave one. */
export class SmbError extends Error {
  override readonly name = "SmbError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The failure that lines of smbclient tell; undefined where they tell none. Every line that is no answer counts: most commands
 * print nothing when they succeed. The status stands before any name in a line, so a name cannot pass for one.
 */
export function failureIn(lines: readonly string[]): SmbError | undefined {
  const [line] = lines;
  if (line === undefined) return undefined;
  const all = lines.join(" ");
  const [code = "UNKNOWN"] = /\bNT_STATUS_[A-Z0-9_]+/.exec(all) ?? [];
  return new SmbError(code, code === "UNKNOWN" ? line.trim() : code);
}

/** Whether an error is one of these statuses, without their prefix. */
export function hasStatus(error: unknown, ...statuses: readonly string[]): boolean {
  return error instanceof SmbError && statuses.some((status) => error.code === `NT_STATUS_${status}`);
}

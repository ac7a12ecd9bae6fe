/** An error that smbclient printed. Its code is the status of the server (`NT_STATUS_…`), or `UNKNOWN`. */
export class SmbError extends Error {
  override readonly name = "SmbError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The error in lines of smbclient; undefined if there are no lines. Every line that is not an expected answer counts,
 * because most commands print nothing when they succeed. The status precedes any name in a line, so a name cannot be
 * taken for one.
 */
export function failureIn(lines: readonly string[]): SmbError | undefined {
  const [line] = lines;
  if (line === undefined) return undefined;
  const all = lines.join(" ");
  const [code = "UNKNOWN"] = /\bNT_STATUS_[A-Z0-9_]+/.exec(all) ?? [];
  return new SmbError(code, code === "UNKNOWN" ? line.trim() : code);
}

/** Whether an error has one of these statuses, given without the prefix `NT_STATUS_`. */
export function hasStatus(error: unknown, ...statuses: readonly string[]): boolean {
  return error instanceof SmbError && statuses.some((status) => error.code === `NT_STATUS_${status}`);
}

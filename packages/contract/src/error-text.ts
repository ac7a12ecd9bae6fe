/** An error in one line: its message, behind its code where the message does not tell it. */
export function errorText(error: { code: string | null; message: string | null }): string {
  const { code, message } = error;
  if (!message) return code ?? "";
  const isTold = !code || code === "Error" || message.includes(code);
  return isTold ? message : `${code}: ${message}`;
}

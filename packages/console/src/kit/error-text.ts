/** An error in one line: its message, behind its code where the message does not tell it. */
export function errorText({ code, message }: { code: string | null; message: string | null }): string {
  if (!message) return code ?? "";
  const isTold = !code || code === "Error" || message.includes(code);
  return isTold ? message : `${code}: ${message}`;
}

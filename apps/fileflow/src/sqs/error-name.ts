/** The part of an error that may be logged: its message could quote an event. */
export function errorName(error: unknown): string {
  const { name = "Error", code } = error as { name?: string; code?: unknown };
  return typeof code === "string" ? `${name} ${code}` : name;
}

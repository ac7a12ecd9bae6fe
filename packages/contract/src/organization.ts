/** An organisation may be given as text or as a whole number; it is kept, compared and shown as text. Anything else stays as it is. */
export function organizationText(given: unknown): unknown {
  return Number.isSafeInteger(given) ? String(given) : given;
}

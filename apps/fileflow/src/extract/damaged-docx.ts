export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/**
 * Whether a truncated or encrypted DOCX was found. By its content it looks like another container, so the sender's type or
 * name decides.
 */
export function isDamagedDocx(found: string | null, claimed: string | null, name: string): boolean {
  const isContainer = found !== null && /zip|cfb/.test(found);
  return isContainer && (claimed === DOCX || /\.docx$/i.test(name));
}

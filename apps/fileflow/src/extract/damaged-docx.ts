export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** A DOCX that is cut off or encrypted looks like another container from outside: only its sender says what it is. */
export function isDamagedDocx(found: string | null, claimed: string | null, name: string): boolean {
  const isContainer = found !== null && /zip|cfb/.test(found);
  return isContainer && (claimed === DOCX || /\.docx$/i.test(name));
}

/**
 * A path as an SMB server compares it, whatever the case of its letters. A server may keep a name in another case than it was
 * given: Samba remembers how a name was written that was there before.
 */
export function foldedPath(names: readonly string[]): string {
  return names.join("/").normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

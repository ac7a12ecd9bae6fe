/**
 * A path as an SMB server compares it, without regard to case. A server may store a name in another case than it was
 * given: Samba remembers the case of an earlier file of that name.
 */
export function foldedPath(names: readonly string[]): string {
  return names.join("/").normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

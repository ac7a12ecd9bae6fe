import { SmbError } from "./smb-error.ts";

/**
 * smbclient reads its input in blocks of this size, and asks its system, not its buffer, whether there is more to read: of two
 * short lines that arrive together it would not see the second one. So every line fills a block.
 */
const LINE_BYTES = 4096;

/**
 * What cannot stand in a name within quotes: a quote ends them, a line break ends the command and may start another one
 * (`!` runs a program), and `* ? < >` are patterns, which could mean other files. No name on an SMB share has them, or
 * `:` and `|`, which mean streams and devices. Backslashes are put between names by us alone.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSPEAKABLE = /["*?<>|:\\/\u0000-\u001f\u007f]/;

export function isSpeakable(name: string): boolean {
  return !UNSPEAKABLE.test(name) && name.isWellFormed();
}

/** A path of the share in quotes, ready for a command. */
export function quoted(names: readonly string[]): string {
  const wrong = names.find((name) => !isSpeakable(name) || name === "" || name === "." || name === "..");
  if (wrong !== undefined)
    throw new SmbError("NT_STATUS_OBJECT_NAME_INVALID", "the name cannot be used over SMB");
  return `"${names.join("\\")}"`;
}

/** What a listing of a folder asks for. */
export function quotedFolder(names: readonly string[]): string {
  return names.length === 0 ? '"*"' : `${quoted(names).slice(0, -1)}\\*"`;
}

/** A command as smbclient reads it from its input. */
export function inputLine(command: string): string {
  const bytes = Buffer.byteLength(command);
  if (bytes >= LINE_BYTES || command.includes("\n")) {
    throw new SmbError("NT_STATUS_NAME_TOO_LONG", `the command has ${bytes} bytes`);
  }
  return `${command}${" ".repeat(LINE_BYTES - 1 - bytes)}\n`;
}

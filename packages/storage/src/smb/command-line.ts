import { SmbError } from "./smb-error.ts";

/**
 * smbclient reads its input in blocks of this size. It asks the operating system, not its buffer, whether there is more
 * to read, so it misses the second of two short lines that arrive together. Therefore every line fills a block.
 */
const LINE_BYTES = 4096;

/**
 * Characters that a quoted name must not contain: a quote ends the name, a line break ends the command and can start
 * another one (`!` runs a program), and `* ? < >` are patterns, which could match other files. No name on an SMB share
 * contains them, nor `:` and `|`, which mean streams and devices. Backslashes separate names, and only `quoted` adds
 * them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNQUOTABLE = /["*?<>|:\\/\u0000-\u001f\u007f]/;

export function isQuotable(name: string): boolean {
  return !UNQUOTABLE.test(name) && name.isWellFormed();
}

/** A path on the share in quotes, for use in a command. */
export function quoted(names: readonly string[]): string {
  const wrong = names.find((name) => !isQuotable(name) || name === "" || name === "." || name === "..");
  if (wrong !== undefined)
    throw new SmbError("NT_STATUS_OBJECT_NAME_INVALID", "the name cannot be used over SMB");
  return `"${names.join("\\")}"`;
}

/** The argument that lists the entries of a folder. */
export function quotedFolder(names: readonly string[]): string {
  return names.length === 0 ? '"*"' : `${quoted(names).slice(0, -1)}\\*"`;
}

/** A command as an input line of smbclient, padded to a block. */
export function inputLine(command: string): string {
  const bytes = Buffer.byteLength(command);
  if (bytes >= LINE_BYTES || command.includes("\n")) {
    throw new SmbError("NT_STATUS_NAME_TOO_LONG", `the command has ${bytes} bytes`);
  }
  return `${command}${" ".repeat(LINE_BYTES - 1 - bytes)}\n`;
}

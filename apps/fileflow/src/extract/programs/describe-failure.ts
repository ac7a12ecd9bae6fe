import { type ExtractCode, isExtractCode } from "../extract-failure.ts";
import { ExtractError } from "../port.ts";

const IO_CODES = /^(ENOENT|EACCES|EPERM|EIO|ENOSPC|EDQUOT|EMFILE|ENFILE|EROFS|ESTALE|EBUSY)$/;
const LONGEST_MESSAGE = 200;

export interface DescribedFailure {
  readonly code: ExtractCode;
  readonly message: string;
  readonly isSpent: boolean;
}

/** Turns an error of a program into a code. An unexpected error comes from a parser that could not handle the file. */
export function describeFailure(error: unknown): DescribedFailure {
  if (error instanceof ExtractError && isExtractCode(error.code))
    return { code: error.code, message: error.message, isSpent: false };
  const thrown: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const { code, message } = thrown;
  if (code !== undefined && IO_CODES.test(code))
    return { code: "EXTRACT_IO", message: `the file cannot be read or written: ${code}`, isSpent: false };
  if (/allocation failed|out of memory|invalid (array|typed array|string) length/i.test(message))
    return { code: "EXTRACT_MEMORY", message: "the file needs more memory than its limit", isSpent: true };
  return {
    code: "EXTRACT_CORRUPT",
    message: `the file cannot be parsed: ${shorten(message)}`,
    isSpent: true,
  };
}

/** Only the first line of a parser's message, because the rest may be content of the file. */
export function shorten(message: string): string {
  return (message.split("\n", 1)[0] ?? "").slice(0, LONGEST_MESSAGE);
}

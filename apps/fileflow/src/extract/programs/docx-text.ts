import mammoth from "mammoth";
import { extractFailure } from "../extract-failure.ts";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { shorten } from "./describe-failure.ts";
import { readHead } from "./read-head.ts";
import { writingText } from "./text-output.ts";
import { readZipDirectory } from "./zip-directory.ts";

const MEGABYTE = 2 ** 20;
/** Documents unpack to about 3 times their size, those with long tables to 30; bombs to 300 times and more. */
const LARGEST_RATIO = 100;
const ALWAYS_FINE_BYTES = 10 * MEGABYTE;
const LARGEST_BYTES = 512 * MEGABYTE;
const MOST_ENTRIES = 10_000;

/** The text of a Word document, after a check of its unpacked size. */
export async function extractDocxText({ request: { file }, workFolder }: ToProcess): Promise<ExtractResult> {
  if (isCompoundFile(file))
    throw extractFailure("EXTRACT_ENCRYPTED", "the document can only be opened with a password");
  await inspectZip(file);
  const { value } = await mammoth.extractRawText({ path: file }).catch((error: Error) => {
    throw extractFailure("EXTRACT_CORRUPT", `the document is damaged: ${shorten(error.message)}`);
  });
  return await writingText(workFolder, async (output) => {
    output.write(value);
    return { ...output.finish(), method: "docx-text" };
  });
}

async function inspectZip(file: string): Promise<void> {
  const entries = await readZipDirectory(file);
  if (entries.some(({ isEncrypted }) => isEncrypted))
    throw extractFailure("EXTRACT_ENCRYPTED", "the document can only be opened with a password");
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  const compressed = entries.reduce((sum, entry) => sum + entry.compressed, 0);
  const isBomb =
    entries.length > MOST_ENTRIES ||
    size > LARGEST_BYTES ||
    (size > ALWAYS_FINE_BYTES && size > compressed * LARGEST_RATIO);
  if (isBomb) {
    const unpacked = `${entries.length} entries of ${Math.round(size / MEGABYTE)} MB in all`;
    throw extractFailure("EXTRACT_BOMB", `the document unpacks to ${unpacked}`);
  }
}

/** Word stores an encrypted document in the container of its older formats. */
function isCompoundFile(file: string): boolean {
  return readHead(file).head.subarray(0, 4).toString("hex") === "d0cf11e0";
}

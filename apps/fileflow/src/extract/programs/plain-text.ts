import { createReadStream } from "node:fs";
import { extractFailure } from "../extract-failure.ts";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { readHead } from "./read-head.ts";
import { decoderOf, type Encoding, possibleEncodings } from "./text-encoding.ts";
import { writingText } from "./text-output.ts";

const CHUNK = 2 ** 18;

/** Converts plain text in any common encoding to UTF-8. */
export async function extractPlainText({ request: { file }, workFolder }: ToProcess): Promise<ExtractResult> {
  const { head } = readHead(file);
  for (const encoding of possibleEncodings(head)) {
    const result = await decodeAs(encoding, file, workFolder);
    // Undefined: the beginning is valid in this encoding, but a later part is not.
    if (result) return result;
  }
  throw extractFailure("EXTRACT_UNSUPPORTED", "the file is not text in an encoding that is known");
}

async function decodeAs(
  { label, confidence }: Encoding,
  file: string,
  workFolder: string,
): Promise<ExtractResult | undefined> {
  const decoder = decoderOf(label);
  return await writingText(workFolder, async (output) => {
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>)
        output.write(decoder.decode(chunk, { stream: true }));
      output.write(decoder.decode());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_ENCODING_INVALID_ENCODED_DATA") return undefined;
      throw error;
    }
    const facts = output.finish();
    const certainty = Number(((facts.confidence ?? 0) * confidence).toFixed(4));
    return { ...facts, confidence: certainty, method: `plain-${label}` };
  });
}

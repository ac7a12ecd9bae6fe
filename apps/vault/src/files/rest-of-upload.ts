import type { Readable } from "node:stream";
import type { UploadPart } from "@andon/engine";

/** Past this, a client that still sends is left to find out by itself. */
const MOST_READ = 256 * 1024 * 1024;

/**
 * Reads a refused upload on to its end, for nothing: most clients look for an answer only when they have sent everything,
 * and would see a broken connection instead of it.
 */
export async function readRest(form: AsyncIterator<UploadPart>, begun: Readable | undefined): Promise<void> {
  let left = MOST_READ;
  try {
    for (let stream = begun; ; ) {
      if (stream?.readable) {
        for await (const chunk of stream) {
          left -= (chunk as Buffer).byteLength;
          if (left < 0) return;
        }
      }
      const { done, value } = await form.next();
      if (done) return;
      stream = value.kind === "file" ? value.stream : undefined;
    }
  } catch {
    // The client has gone, or its form is broken: there is nobody to answer, or the answer is known already.
  }
}

import type { Readable } from "node:stream";
import type { UploadPart } from "@andon/app";

/** The most bytes to read; a client that sends more sees a broken connection. */
const MOST_READ = 256 * 1024 * 1024;

/**
 * Reads a refused upload to its end and drops it: most clients read the response only after they have sent everything,
 * and would otherwise see a broken connection.
 */
export async function drainUpload(
  form: AsyncIterator<UploadPart>,
  begun: Readable | undefined,
): Promise<void> {
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
    // The client has disconnected, or its form is broken: the response is decided already.
  }
}

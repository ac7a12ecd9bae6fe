import { StudioError } from "../contract/errors.ts";
import { type ImageType, imageTypeOf, MOST_PIXELS } from "./image-type.ts";

/** Reads a stream to its end; throws if it has more bytes than allowed. */
export async function readAtMost(
  source: AsyncIterable<Uint8Array>,
  largest: number,
  name: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > largest) throw new StudioError("TASK_IMAGE_TOO_LARGE", { name, largest: `${largest} bytes` });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The type of an image; throws if the image cannot be used. */
export function checkedImage(bytes: Buffer, name: string): ImageType {
  const type = imageTypeOf(bytes);
  if (!type) throw new StudioError("TASK_IMAGE_TYPE", { name });
  if (type.width * type.height > MOST_PIXELS)
    throw new StudioError("TASK_IMAGE_TOO_LARGE", { name, largest: `${MOST_PIXELS} pixels` });
  return type;
}

import sharp, { type Sharp } from "sharp";
import { extractFailure } from "../extract-failure.ts";
import { ExtractError } from "../port.ts";
import { shorten } from "./describe-failure.ts";
import { refuseSpecial } from "./read-head.ts";

/** A4 at 1,200 dpi has 139 million. */
const MOST_PIXELS = 150_000_000;

// libvips can read more formats than needed, and every reader is code that a file can attack.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegFile",
    "VipsForeignLoadPngFile",
    "VipsForeignLoadWebpFile",
    "VipsForeignLoadNsgifFile",
  ],
});
// The pool limits the number of files in progress; a thread per core for each of them would be too many.
sharp.concurrency(1);
sharp.cache(false);

/** Opens a JPEG, PNG, WebP or GIF without decoding it. */
export function openImage(file: string): Sharp {
  refuseSpecial(file);
  return sharp(file, { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true });
}

/** Turns an error of sharp into a failure with a code. */
export function imageFailure(error: unknown): unknown {
  if (error instanceof ExtractError || (error as NodeJS.ErrnoException).syscall) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/exceeds pixel limit/i.test(message))
    return extractFailure("EXTRACT_BOMB", `the image has more than ${MOST_PIXELS} pixels`);
  if (/unsupported image format|is not a known file format|blocked/i.test(message))
    return extractFailure("EXTRACT_UNSUPPORTED", "the file is not a JPEG, PNG, WebP or GIF image");
  return extractFailure("EXTRACT_CORRUPT", `the image is damaged: ${shorten(message)}`);
}

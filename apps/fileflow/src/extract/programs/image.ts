import { join } from "node:path";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { imageFailure, openImage } from "./open-image.ts";

const THUMBNAIL = "thumbnail.webp";
const THUMBNAIL_SIDE = 320;

/**
 * Dimensions, orientation and a thumbnail. Width and height are those of the stored pixels; `orientation` is the EXIF value
 * (1–8) needed to show them. The thumbnail is already upright.
 */
export async function extractImage({ request: { file }, workFolder }: ToProcess): Promise<ExtractResult> {
  try {
    const { width, height, orientation = 1, format, pages } = await openImage(file).metadata();
    await openImage(file)
      .autoOrient()
      .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(join(workFolder, THUMBNAIL));
    return {
      mimeType: `image/${format}`,
      width,
      height,
      orientation,
      thumbnail: THUMBNAIL,
      method: "sharp",
      confidence: 1,
      ...(pages ? { pages } : {}),
    };
  } catch (error) {
    throw imageFailure(error);
  }
}

/** The type of an image by its bytes, independent of the name or type that its sender gives. */
export interface ImageType {
  readonly mimeType: "image/jpeg" | "image/png" | "image/webp" | "image/gif";
  readonly extension: string;
  readonly width: number;
  readonly height: number;
}

/** A small file may decode to a huge image. */
export const MOST_PIXELS = 100_000_000;

/** Undefined if the bytes are not an image of a supported type, or their header is damaged. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  try {
    return READERS.map((read) => read(bytes)).find((found) => found && found.width > 0 && found.height > 0);
  } catch (error) {
    // The bytes end before the header gives the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const READERS: readonly ((bytes: Buffer) => ImageType | undefined)[] = [png, gif, webp, jpeg];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function png(bytes: Buffer): ImageType | undefined {
  if (!bytes.subarray(0, 8).equals(PNG) || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return {
    mimeType: "image/png",
    extension: "png",
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  };
}

function gif(bytes: Buffer): ImageType | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
  return {
    mimeType: "image/gif",
    extension: "gif",
    width: bytes.readUInt16LE(6),
    height: bytes.readUInt16LE(8),
  };
}

function webp(bytes: Buffer): ImageType | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP")
    return undefined;
  const size = webpSize(bytes);
  return size && { mimeType: "image/webp", extension: "webp", ...size };
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ")
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** The markers C0 to CF start a frame that gives the size of a JPEG, except for these three. */
const NOT_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

function jpeg(bytes: Buffer): ImageType | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; ; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    while (bytes.readUInt8(at + 1) === 0xff) at++;
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker))
      return {
        mimeType: "image/jpeg",
        extension: "jpg",
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
  }
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtractFiles, extractFiles } from "./extract-files.ts";
import { textPdf } from "./pdf-file.ts";
import { docxFile, zipFile } from "./zip-file.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

let files: ExtractFiles;
beforeAll(() => {
  files = extractFiles();
});
afterAll(() => files.close());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c03030" } });

/** A PNG with a size in its header and without pixels. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", Buffer.alloc(0)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("probe", () => {
  it.each([
    ["PDF", textPdf(["x"]), "application/pdf"],
    ["DOCX", docxFile(["x"]), DOCX],
    ["DOCX whose main part comes first", zipFile({ "word/document.xml": "<x/>" }), DOCX],
    ["zip", zipFile({ "a.txt": "x" }), "application/zip"],
    ["plain text", "BMW sells cars, and more", "text/plain"],
    ["UTF-16 text", Buffer.from("\ufeff한글", "utf16le"), "text/plain"],
    ["CP949 text", Buffer.from("c7d1b1db20b9aebcad", "hex"), "text/plain"],
    ["HTML", "<!-- a --><!DOCTYPE html><p>x", "text/html"],
    ["SVG", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"],
    ["XML", '<?xml version="1.0"?><order/>', "application/xml"],
    ["JSON", ' {"a": [1, true]}', "application/json"],
    ["braces that are not JSON", '{"a": }', "text/plain"],
    ["CSV", '이름,나이\n"Kim, M",3\nLee,4\n', "text/csv"],
    ["nothing", "", "application/x-empty"],
    ["noise", Buffer.from([0, 1, 2, 3, 250, 0, 7]), "application/octet-stream"],
  ])("finds %s by its content", async (_, bytes, mimeType) => {
    // The name and the claimed type are wrong on purpose.
    const found = await files.run({ task: "probe", bytes, name: "file.png", mimeType: "image/png" });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(found).toMatchObject({ mimeType, sha256, size: Buffer.byteLength(bytes) });
  });
});

describe("images", () => {
  it("gives dimensions, orientation and an upright thumbnail", async () => {
    const bytes = await picture(800, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await files.run({ task: "image", bytes });
    expect(found).toMatchObject({ mimeType: "image/jpeg", width: 800, height: 400, orientation: 6 });
    const thumbnail = await sharp(join(found.folder, found.thumbnail ?? "")).metadata();
    expect(thumbnail).toMatchObject({ format: "webp", width: 160, height: 320 });
    expect(found.files).toEqual(["thumbnail.webp"]);
  });

  it("does not enlarge a small image", async () => {
    const found = await files.run({ task: "image", bytes: await picture(30, 20).png().toBuffer() });
    expect(found).toMatchObject({ width: 30, height: 20, orientation: 1 });
    const thumbnail = await sharp(join(found.folder, found.thumbnail ?? "")).metadata();
    expect(thumbnail).toMatchObject({ width: 30, height: 20 });
  });

  it.each([
    ["400 million pixels in a few bytes", async () => pngHeader(20_000, 20_000), "EXTRACT_BOMB"],
    ["a header without pixels", async () => pngHeader(20, 20), "EXTRACT_CORRUPT"],
    [
      "a JPEG that is cut off",
      async () => (await picture(900, 900).jpeg().toBuffer()).subarray(0, 700),
      "EXTRACT_CORRUPT",
    ],
    ["SVG", async () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "EXTRACT_UNSUPPORTED"],
    ["TIFF", () => picture(9, 9).tiff().toBuffer(), "EXTRACT_UNSUPPORTED"],
    ["text", async () => Buffer.from("no image"), "EXTRACT_UNSUPPORTED"],
  ])("refuses %s", async (_, make, code) => {
    const wish = files.run({ task: "image", bytes: await make() });
    await expect(wish).rejects.toMatchObject({ code, irreversible: true });
  });
});

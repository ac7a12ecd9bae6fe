import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExtractFiles, extractFiles, extractionProcesses } from "./extract-files.ts";
import { renderLines } from "./rendered.ts";

let files: ExtractFiles;
let rendered: Awaited<ReturnType<typeof renderLines>>;
beforeAll(async () => {
  files = extractFiles(1);
  rendered = await renderLines();
});
afterAll(() => files.close());

it("recognizes Korean and English in an image, and keeps its process for the next", async ({ skip }) => {
  if (!rendered) return skip("no browser to draw the image with");
  const found = await files.run({ task: "ocr", bytes: rendered.png });
  expect(found.text?.trim().split("\n")).toEqual(rendered.lines);
  expect(found).toMatchObject({ method: "tesseract", language: "ko", pages: 1, files: ["text.txt"] });
  expect(found.confidence).toBeGreaterThan(0.8);
  expect(found.confidence).toBeLessThanOrEqual(1);
  const before = extractionProcesses();
  const again = await files.run({ task: "ocr", bytes: rendered.png });
  expect(again.text).toBe(found.text);
  expect(extractionProcesses()).toEqual(before);
});

it("rotates an image upright before it reads it", async ({ skip }) => {
  if (!rendered) return skip("no browser to draw the image with");
  const bytes = await sharp(rendered.png).rotate(-90).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const found = await files.run({ task: "ocr", bytes });
  expect(found.text?.trim().split("\n")).toEqual(rendered.lines);
});

it("finds no text on an empty page, with confidence 0", async () => {
  const create = { width: 300, height: 200, channels: 3, background: "white" } as const;
  const found = await files.run({ task: "ocr", bytes: await sharp({ create }).png().toBuffer() });
  expect(found).toMatchObject({ confidence: 0 });
  expect(found.text?.trim()).toBe("");
});

it("refuses a document that is not an image, and a truncated image", async ({ skip }) => {
  const wish = files.run({ task: "ocr", bytes: "%PDF-1.7 x" });
  await expect(wish).rejects.toMatchObject({ code: "EXTRACT_UNSUPPORTED" });
  if (!rendered) return skip("no browser to draw the image with");
  const cut = files.run({ task: "ocr", bytes: rendered.png.subarray(0, 3_000) });
  await expect(cut).rejects.toMatchObject({ code: "EXTRACT_CORRUPT" });
});

it("reads a PDF with an embedded Korean font", async ({ skip }) => {
  if (!rendered) return skip("no browser to print the PDF with");
  const found = await files.run({ task: "text", bytes: rendered.pdf });
  expect(found.text?.trim().split("\n")).toEqual(rendered.lines);
  expect(found).toMatchObject({ method: "pdf-text", pages: 1, language: "ko" });
});

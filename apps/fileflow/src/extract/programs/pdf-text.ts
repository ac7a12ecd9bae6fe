import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { getDocumentProxy } from "unpdf";
import { extractFailure } from "../extract-failure.ts";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { shorten } from "./describe-failure.ts";
import { isCutOff } from "./pdf-end.ts";
import { type TextOutput, writingText } from "./text-output.ts";

/** Without these maps the text of Korean fonts that are not embedded would be empty. pdf.js requires the trailing slash. */
const CHARACTER_MAPS = fileURLToPath(new URL("../../../cmaps/", import.meta.url));

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text layer of a PDF, page by page. */
export async function extractPdfText({ request: { file }, workFolder }: ToProcess): Promise<ExtractResult> {
  const bytes = readFileSync(file);
  if (isCutOff(bytes)) throw extractFailure("EXTRACT_CORRUPT", "the PDF has no end: it is cut off");
  const pdf = await openPdf(bytes);
  try {
    return await writingText(workFolder, async (output) => {
      for (let page = 1; page <= pdf.numPages; page++) await writePage(pdf, page, output);
      return { ...output.finish(), pages: pdf.numPages, method: "pdf-text" };
    });
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function openPdf(bytes: Buffer): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), {
      cMapUrl: CHARACTER_MAPS,
      cMapPacked: true,
      verbosity: 0,
    });
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "PasswordException")
      throw extractFailure("EXTRACT_ENCRYPTED", "the PDF can only be opened with a password");
    if (/^(InvalidPDF|Format|MissingPDF)/.test(name))
      throw extractFailure("EXTRACT_CORRUPT", `the PDF is damaged: ${shorten(message)}`);
    throw error;
  }
}

async function writePage(pdf: Pdf, number: number, output: TextOutput): Promise<void> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const lines: string[] = [];
  for (const item of items) if ("str" in item) lines.push(item.str, item.hasEOL ? "\n" : "");
  if (number > 1) lines.unshift("\n\n");
  output.write(lines.join(""));
  page.cleanup();
}

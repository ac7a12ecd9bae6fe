import { DOCX, isDamagedDocx } from "../damaged-docx.ts";
import { extractFailure } from "../extract-failure.ts";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { detectType } from "./detect-type.ts";
import { readHead } from "./read-head.ts";

export type TextProgram = (order: ToProcess) => Promise<ExtractResult>;

const READERS: readonly { fits(type: string): boolean; load(): Promise<TextProgram> }[] = [
  {
    fits: (type) => type === "application/pdf",
    load: async () => (await import("./pdf-text.ts")).extractPdfText,
  },
  {
    fits: (type) => type === DOCX,
    load: async () => (await import("./docx-text.ts")).extractDocxText,
  },
  {
    fits: (type) =>
      type.startsWith("text/") || /^application\/(json|xml|x-empty)$|^image\/svg\+xml$/.test(type),
    load: async () => (await import("./plain-text.ts")).extractPlainText,
  },
];

/** The text of a document. The content selects the reader, whatever type the request claims. */
export async function extractText(order: ToProcess): Promise<ExtractResult> {
  const { file, mimeType, name } = order.request;
  const { head, size } = readHead(file);
  const found = await detectType(file, head, size);
  const type = isDamagedDocx(found, mimeType, name) ? DOCX : found;
  const reader = READERS.find(({ fits }) => fits(type));
  if (!reader) throw extractFailure("EXTRACT_UNSUPPORTED", `no text can be read from ${type}`);
  const extract = await reader.load();
  return { mimeType: type, ...(await extract(order)) };
}

/** A request to an extraction program about a file on disk. */
export interface ExtractRequest {
  readonly task: "probe" | "image" | "text" | "ocr";
  readonly file: string;
  readonly mimeType: string | null;
  readonly name: string;
  readonly limits: { readonly timeoutMs: number; readonly memoryMb: number };
  readonly outputFolder: string;
}

export interface ExtractResult {
  readonly mimeType?: string;
  readonly size?: number;
  readonly sha256?: string;
  readonly width?: number;
  readonly height?: number;
  readonly orientation?: number;
  readonly thumbnail?: string /* file in outputFolder */;
  readonly textFile?: string /* file in outputFolder, UTF-8 */;
  readonly characters?: number;
  readonly pages?: number;
  readonly method?: string;
  readonly confidence?: number /* 0–1 */;
  readonly language?: string;
}

/** Runs requests in separate processes. A file that breaks a parser fails only its own request, with an ExtractError. */
export interface Extractor {
  run(request: ExtractRequest, signal: AbortSignal): Promise<ExtractResult>;
  close(): Promise<void>;
}

/** `code` such as EXTRACT_TIMEOUT, EXTRACT_MEMORY, EXTRACT_ENCRYPTED, EXTRACT_CORRUPT, EXTRACT_BOMB, EXTRACT_UNSUPPORTED, EXTRACT_CRASHED; irreversible ones are not retried. */
export class ExtractError extends Error {
  override readonly name = "ExtractError";
  readonly code: string;
  readonly irreversible: boolean;

  constructor(code: string, message: string, irreversible: boolean) {
    super(message);
    this.code = code;
    this.irreversible = irreversible;
  }
}

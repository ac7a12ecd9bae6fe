import type { ExtractCode } from "./extract-failure.ts";
import type { ExtractRequest, ExtractResult } from "./port.ts";

/** A process has one request at a time, so that no message names its request. */
export interface ToProcess {
  readonly request: ExtractRequest;
  /** Programs write here; files of a finished request are moved from here to the output folder. */
  readonly workFolder: string;
}

export type FromProcess =
  | { readonly kind: "done"; readonly result: ExtractResult }
  | {
      readonly kind: "failed";
      readonly code: ExtractCode;
      readonly message: string;
      /** The parser failed in a way that is not known: nobody knows in which state it left its process. */
      readonly isSpent: boolean;
    };

import type { ExtractCode } from "./extract-failure.ts";
import type { ExtractRequest, ExtractResult } from "./port.ts";

/** A process has one request at a time, so messages need no request id. */
export interface ToProcess {
  readonly request: ExtractRequest;
  /** Programs write here. The files of a finished request are moved to the output folder. */
  readonly workFolder: string;
}

export type FromProcess =
  | { readonly kind: "done"; readonly result: ExtractResult }
  | {
      readonly kind: "failed";
      readonly code: ExtractCode;
      readonly message: string;
      /** The parser failed in an unknown way, so the state of its process is unknown and it is not reused. */
      readonly isSpent: boolean;
    };

import { filledIn, type Language, type Localized, shownDetail } from "@andon/contract";
import { faultCodeOf } from "./driver-error-codes.ts";
import { FAULTS, type Fault, type FaultCode } from "./faults.ts";

/** Where an error occurred: the place, the path in it, and the reason if the code alone does not tell it. */
export interface ErrorLocation {
  readonly place: string;
  readonly path?: string;
  /** The text of a driver is unchanged; reasons of this package exist in both languages. */
  readonly reason?: string | Localized;
}

/** The error of this package. `place` tells two storages apart when bytes are copied from one to the other. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: FaultCode;
  readonly fault: Fault;
  readonly place: string;
  readonly path: string | undefined;
  readonly reason: string | Localized | undefined;

  constructor(code: FaultCode, where: ErrorLocation, options?: { cause?: unknown }) {
    super(sentence(code, where, "en"), options);
    this.code = code;
    this.fault = FAULTS[code].fault;
    this.place = where.place;
    this.path = where.path;
    this.reason = where.reason;
  }

  /** For callers that store the text: readers see it in their own language. */
  get localized(): Localized {
    return { en: this.in("en"), ko: this.in("ko") };
  }

  in(language: Language): string {
    const { place, path = "", reason } = this;
    return sentence(this.code, { place, path, ...(reason === undefined ? {} : { reason }) }, language);
  }
}

export function isStorageError(error: unknown, code?: FaultCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

/** Translates an error of a driver into a `StorageError`. A `StorageError` stays as it is. */
export function asStorageError(error: unknown, where: ErrorLocation): StorageError {
  if (error instanceof StorageError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new StorageError(faultCodeOf(error), { ...where, reason: where.reason ?? detail }, { cause: error });
}

function sentence(code: FaultCode, where: ErrorLocation, language: Language): string {
  const text = filledIn(FAULTS[code][language], { place: where.place, path: where.path }, () => "");
  const reason = shownDetail(where.reason, language);
  return reason ? `${text}: ${reason}` : `${text}.`;
}

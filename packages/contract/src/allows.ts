import type { Localized } from "./errors.ts";

/** What a check allows, in the form that a schema takes. */
export interface Allowed {
  /** The English message: zod puts it into the issue. */
  readonly error: string;
  readonly params: Localized;
}

/** For `refine` and `custom`: what a value must be, in both languages. */
export function allows(en: string, ko: string): Allowed {
  return { error: en, params: { en, ko } };
}

import type { Localized } from "./errors.ts";

/** What a check of ours allows, as a schema carries it. */
export interface Allowed {
  /** The message of the issue, for whoever knows nothing of languages. */
  readonly error: string;
  readonly params: Localized;
}

/** For `refine` and `custom`: what a value must be, in both languages. */
export function allows(en: string, ko: string): Allowed {
  return { error: en, params: { en, ko } };
}

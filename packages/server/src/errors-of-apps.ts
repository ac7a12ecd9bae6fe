import type { App } from "@andon/app";
import { ERROR_CATALOGUE, type ErrorCatalogue } from "@andon/contract";

/** The errors of the core and the apps. A code has one status everywhere; two apps may share a code, each with its own text. */
export function errorsOf(apps: readonly App[]): ErrorCatalogue {
  const errors: Record<string, ErrorCatalogue[string]> = { ...ERROR_CATALOGUE };
  for (const { name, errors: own = {} } of apps) {
    for (const [code, entry] of Object.entries(own)) {
      const known = errors[code];
      if (code in ERROR_CATALOGUE || (known && known.status !== entry.status))
        throw new Error(`the app "${name}" defines the error ${code}, which is already defined`);
      errors[code] ??= entry;
    }
  }
  return errors;
}

import type { App } from "@andon/app";
import { ERROR_CATALOGUE, type ErrorCatalogue } from "@andon/contract";

/** The core's errors and those of the apps. A code has one status, whoever gives it: two apps may share one, each with its own text. */
export function errorsOf(apps: readonly App[]): ErrorCatalogue {
  const errors: Record<string, ErrorCatalogue[string]> = { ...ERROR_CATALOGUE };
  for (const { name, errors: own = {} } of apps) {
    for (const [code, entry] of Object.entries(own)) {
      const known = errors[code];
      if (code in ERROR_CATALOGUE || (known && known.status !== entry.status))
        throw new Error(`the app "${name}" brings the error ${code}, which is taken`);
      errors[code] ??= entry;
    }
  }
  return errors;
}

import type { Language } from "@andon/contract";
import { runbookOf } from "../alerts/links.ts";
import type { Site } from "../site.ts";

/** The page for causes without their own. */
const PAGE = "failed-jobs";

/** The runbook of a cause: from the settings by fingerprint or code, else the page of its app, else the built-in page. */
export function runbookOfCause(
  { settings, queues }: Pick<Site, "settings" | "queues">,
  queue: string,
  { code, fingerprint }: { readonly code: string; readonly fingerprint: string },
  language: Language,
): string {
  const own = settings.runbooks[fingerprint] ?? settings.runbooks[code];
  if (own !== undefined) return own;
  const page = queues.get(queue)?.runbooks?.[code] ?? PAGE;
  return runbookOf(settings.alerts.runbooks, code, page, language);
}

import type { Language } from "@andon/contract";
import type { AlertSettings } from "./settings.ts";

/** The targets of an alert's links. */
export interface AlertLinks {
  /** The public address of the console; empty if unknown. */
  readonly publicUrl: () => string;
  readonly runbooks: AlertSettings["runbooks"];
}

interface Linked {
  readonly id: string;
  readonly type: string;
  /** A page of the runbooks. */
  readonly page: string;
  readonly language: Language;
}

/** Links to the alert in the console and to its runbook. */
export function linksOf({ publicUrl, runbooks }: AlertLinks, { id, type, page, language }: Linked) {
  const base = publicUrl().replace(/\/+$/, "");
  return {
    console: base === "" ? null : `${base}/alerts?alert=${encodeURIComponent(id)}`,
    runbook: runbookOf(runbooks, type, page, language),
  };
}

export function runbookOf(
  runbooks: AlertSettings["runbooks"],
  /** The type of an alert, or the code of an error. */
  type: string,
  page: string,
  language: Language,
): string {
  const own = typeof runbooks === "object" ? runbooks[type] : undefined;
  if (own !== undefined) return own;
  if (typeof runbooks === "string") return `${runbooks.replace(/\/+$/, "")}/${page}`;
  return `docs/${language}/runbooks/${page}.md`;
}

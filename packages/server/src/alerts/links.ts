import type { Language } from "@andon/contract";
import type { AlertSettings } from "./settings.ts";

/** Where alerts link to. */
export interface AlertLinks {
  /** How people reach the console; empty where nobody knows. */
  readonly publicUrl: () => string;
  readonly runbooks: AlertSettings["runbooks"];
}

interface Linked {
  readonly id: string;
  readonly type: string;
  /** Of the runbooks. */
  readonly page: string;
  readonly language: Language;
}

/** The alert in the console, and what to do about it. */
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

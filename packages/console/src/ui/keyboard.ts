import { useEffect, useRef } from "react";

export type KeyMap = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

/** Single-key shortcuts of a page. They are off while the reader types or a dialog is open. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Moves the focus between the rows of all tables on the page, in document order. */
export function moveToRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step];
  const link = next?.querySelector<HTMLElement>("[data-row-link]");
  link?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export function focusedRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>("[data-row]") ?? undefined;
}

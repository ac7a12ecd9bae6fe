import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useWords } from "../i18n/words.ts";
import { focusRowAt, rowPlaceOf } from "./row-place.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Neither Esc nor the X closes it, because its pending answer or its content would be lost. */
  readonly isHeld?: boolean;
  /** Placed near the top of the window, so that it grows downwards as its content changes. */
  readonly isTop?: boolean;
  readonly children: ReactNode;
}

/**
 * The browser's own dialog. The element with `data-autofocus` gets the focus, else the first control. It keeps the focus inside,
 * closes with Esc, returns the focus, and needs no style that the content security policy would refuse.
 */
export function Dialog({
  title,
  onClose,
  wide = false,
  isHeld = false,
  isTop = false,
  children,
}: DialogProps) {
  const { common } = useWords();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect, because its cleanup runs while the dialog is still in the document: a later close returns no focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    const place = rowPlaceOf(before);
    if (dialog) show(dialog);
    return () => {
      dialog?.close();
      if (before?.isConnected || (place && focusRowAt(place))) return;
      document.getElementById("main")?.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      // Only the first Esc can be prevented: at the second, the browser closes the dialog anyway.
      onClose={() => {
        if (isHeld && ref.current) show(ref.current);
      }}
      className={`${isTop ? "mx-auto mt-[min(12dvh,6rem)] mb-auto" : "m-auto"} max-h-[calc(100dvh-1rem)] w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border border-line bg-panel text-ink shadow-xl ${wide ? "max-w-3xl" : isTop ? "max-w-2xl" : "max-w-lg"}`}
    >
      <header className="flex items-start justify-between gap-3 border-b border-line px-5 py-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <button
          type="button"
          aria-label={common.close}
          disabled={isHeld}
          onClick={onClose}
          className="-mr-1.5 rounded-md p-1.5 text-soft hover:bg-raised hover:text-ink disabled:opacity-55"
        >
          <X size={18} aria-hidden="true" />
        </button>
      </header>
      <div className="flex flex-col gap-4 p-5">{children}</div>
    </dialog>
  );
}

function show(dialog: HTMLDialogElement): void {
  dialog.showModal();
  dialog.querySelector<HTMLElement>("[data-autofocus]")?.focus();
}

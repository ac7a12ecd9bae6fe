import type { ComponentProps, ReactNode } from "react";
import { useWords } from "../i18n/words.ts";

const TONES = {
  plain: "border-line bg-control text-ink shadow-control hover:border-line-strong hover:bg-raised",
  primary: "border-transparent bg-accent text-on-accent shadow-control hover:opacity-90",
  stop: "border-transparent bg-stop-wash text-stop-ink hover:opacity-90",
  quiet: "border-transparent text-soft hover:bg-raised hover:text-ink",
} as const;

export const MAIN_KEY = "d";

export type Tone = keyof typeof TONES;

const SHAPE =
  "inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:opacity-55 disabled:shadow-none";

export function buttonClass(tone: Tone = "plain"): string {
  return `${SHAPE} ${TONES[tone]}`;
}

export interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  /** The key for the button. */
  readonly shortcut?: string | undefined;
  /** The main decision of its page: the key `d` presses the first such button of the page. */
  readonly isMain?: boolean | undefined;
}

export function Button({ tone = "plain", icon, shortcut, isMain = false, children, ...rest }: ButtonProps) {
  const { main } = useWords();
  const keys = [...(shortcut ? [shortcut] : []), ...(isMain ? [MAIN_KEY] : [])];
  const title = isMain && typeof children === "string" ? main.key(children, keys.join(", ")) : undefined;
  return (
    <button
      type="button"
      title={title}
      {...rest}
      className={buttonClass(tone)}
      aria-keyshortcuts={keys.length > 0 ? keys.join(" ") : undefined}
      {...(isMain ? { "data-main-decision": "" } : {})}
    >
      {icon}
      {children}
      {shortcut && <KeyMark>{shortcut}</KeyMark>}
    </button>
  );
}

/** Presses the main decision of the current page. */
export function pressMainDecision(): void {
  document.querySelector<HTMLButtonElement>("main [data-main-decision]:enabled")?.click();
}

function KeyMark({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="hidden min-w-5 rounded-sm border border-current/30 px-1 text-center text-xs leading-4 opacity-80 sm:inline-block"
    >
      {children}
    </span>
  );
}

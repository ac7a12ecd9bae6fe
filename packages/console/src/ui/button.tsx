import type { ComponentProps, ReactNode } from "react";

const TONES = {
  plain: "border-line-strong bg-raised text-ink hover:bg-ground",
  primary: "border-transparent bg-accent text-on-accent hover:opacity-90",
  stop: "border-transparent bg-stop-wash text-stop-ink hover:opacity-90",
  quiet: "border-transparent text-soft hover:bg-ground hover:text-ink",
} as const;

export type Tone = keyof typeof TONES;

const SHAPE =
  "inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:opacity-55";

export function buttonClass(tone: Tone = "plain"): string {
  return `${SHAPE} ${TONES[tone]}`;
}

export interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  /** A key that does the same. */
  readonly shortcut?: string | undefined;
}

export function Button({ tone = "plain", icon, shortcut, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={buttonClass(tone)} aria-keyshortcuts={shortcut}>
      {icon}
      {children}
      {shortcut && <KeyMark>{shortcut}</KeyMark>}
    </button>
  );
}

function KeyMark({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="hidden min-w-5 rounded border border-current/40 px-1 text-center font-mono text-xs leading-4 opacity-80 sm:inline-block"
    >
      {children}
    </span>
  );
}

interface ProgressBarProps {
  readonly label: string;
  /** The completed amount; absent if unknown. */
  readonly value?: number;
  readonly max?: number;
}

/** The browser's own element: its length needs no inline style, and screen readers support it. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  return <progress aria-label={label} className="bar" {...(value === undefined ? {} : { value, max })} />;
}

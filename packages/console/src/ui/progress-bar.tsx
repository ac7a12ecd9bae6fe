interface ProgressBarProps {
  readonly label: string;
  /** How much is done; absent while nobody can tell. */
  readonly value?: number;
  readonly max?: number;
}

/** The browser's own element: its length needs no inline style, and who hears the page is told. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  return <progress aria-label={label} className="bar" {...(value === undefined ? {} : { value, max })} />;
}

import { type ComponentProps, type ReactNode, useId } from "react";

export const INPUT =
  "min-h-8 w-full rounded-md border border-line-strong bg-control px-2.5 py-1 text-sm text-ink shadow-control placeholder:text-faint hover:border-faint";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: (props: { id: string; className: string; "aria-describedby"?: string }) => ReactNode;
}

/** A labelled control. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-soft">
        {label}
      </label>
      {children({ id, className: INPUT, ...(hint ? { "aria-describedby": hintId } : {}) })}
      {hint && (
        <p id={hintId} className="text-xs text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  ...input
}: { label: string; hint?: string } & ComponentProps<"input">) {
  return (
    <Field label={label} hint={hint}>
      {(props) => <input {...input} {...props} />}
    </Field>
  );
}

import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { buttonClass } from "./button.tsx";

interface MenuChoice {
  readonly label: string;
  readonly onChoose: () => void;
}

interface MenuButtonProps {
  readonly label: ReactNode;
  readonly choices: readonly MenuChoice[];
  readonly isDisabled?: boolean;
}

/** A button that opens a short list of choices below it. Esc, and moving the focus away, close the list. */
export function MenuButton({ label, choices, isDisabled = false }: MenuButtonProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => ref.current?.removeAttribute("open");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !ref.current?.open) return;
    event.stopPropagation();
    close();
    ref.current.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={ref}
      className="relative"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <summary
        aria-disabled={isDisabled}
        className={`${buttonClass()} list-none [&::-webkit-details-marker]:hidden`}
      >
        {label}
        <ChevronDown size={14} aria-hidden="true" />
      </summary>
      <ul className="absolute right-0 z-10 mt-1 flex min-w-full flex-col rounded-lg border border-line bg-panel p-1 shadow-lg">
        {choices.map(({ label: choice, onChoose }) => (
          <li key={choice}>
            <button
              type="button"
              disabled={isDisabled}
              onClick={() => {
                close();
                onChoose();
              }}
              className="w-full rounded-md px-3 py-1.5 text-left text-sm whitespace-nowrap hover:bg-raised"
            >
              {choice}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

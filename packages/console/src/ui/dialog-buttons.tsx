import type { ReactNode } from "react";
import { useWords } from "../i18n/words.ts";
import { Button } from "./button.tsx";

interface DialogButtonsProps {
  readonly onClose: () => void;
  readonly isPending: boolean;
  readonly children?: ReactNode;
}

/** The last row of a dialog: the close button, and the other buttons. */
export function DialogButtons({ onClose, isPending, children }: DialogButtonsProps) {
  const { common } = useWords();
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button disabled={isPending} onClick={onClose}>
        {common.close}
      </Button>
      {children}
    </div>
  );
}

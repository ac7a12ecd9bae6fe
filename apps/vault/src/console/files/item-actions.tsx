import { Button, buttonClass } from "@andon/console/room";
import { Download, FolderInput, type LucideIcon, Pencil, Trash2 } from "lucide-react";
import { contentAddress } from "../addresses.ts";
import type { Item } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";

export type ItemAction = "rename" | "move" | "trash";
export const ITEM_ACTIONS: readonly ItemAction[] = ["rename", "move", "trash"];

const ACTION_SIGNS: Record<ItemAction, LucideIcon> = {
  rename: Pencil,
  move: FolderInput,
  trash: Trash2,
};

interface ItemActionsProps {
  readonly item: Item;
  /** Undefined: the reader may not change anything. */
  readonly onAction: ((action: ItemAction, item: Item) => void) | undefined;
}

/** The actions of a row, as icons. Labels and tooltips give their names. */
export function ItemActions({ item, onAction }: ItemActionsProps) {
  const { files: say } = useVaultWords();
  return (
    <div className="flex justify-end gap-1 [&>*]:px-1.5">
      {item.kind === "file" && (
        <a
          href={contentAddress(item.id)}
          download={item.name}
          aria-label={say.of.download(item.name)}
          title={say.download}
          className={buttonClass("quiet")}
        >
          <Download size={16} aria-hidden="true" />
        </a>
      )}
      {onAction &&
        ITEM_ACTIONS.map((action) => {
          const Sign = ACTION_SIGNS[action];
          return (
            <Button
              key={action}
              tone="quiet"
              aria-label={say.of[action](item.name)}
              title={say[action]}
              onClick={() => onAction(action, item)}
            >
              <Sign size={16} aria-hidden="true" />
            </Button>
          );
        })}
    </div>
  );
}

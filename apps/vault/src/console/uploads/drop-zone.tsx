import { notify } from "@andon/console/room";
import { Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import { useVaultWords } from "../i18n/words.ts";
import { addUploads } from "./uploads.ts";

interface DropZoneProps {
  /** Where what is dropped goes; undefined: nothing may be dropped. */
  readonly folder: { readonly id: string; readonly path: string } | undefined;
  readonly children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

/** Takes files that are dropped on what it holds. */
export function DropZone({ folder, children }: DropZoneProps) {
  const { files: say } = useVaultWords();
  // Each part below tells of entering and leaving: inside is who has entered more often than left.
  const [depth, setDepth] = useState(0);
  if (!folder) return children;
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setDepth(0);
    const { files, hasFolders } = droppedFiles(event.dataTransfer);
    if (hasFolders) notify(say.noFolders);
    addUploads(files, folder);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button does the same for those who drop nothing
    <div
      className="relative"
      data-drop-zone
      onDragEnter={(event) => hasFiles(event) && setDepth(depth + 1)}
      onDragLeave={(event) => hasFiles(event) && setDepth(Math.max(0, depth - 1))}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={onDrop}
    >
      {children}
      {depth > 0 && (
        <div className="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-accent-wash/90 p-4">
          <p className="flex items-center gap-2 font-semibold text-accent">
            <Upload size={20} aria-hidden="true" /> {say.drop(folder.path)}
          </p>
        </div>
      )}
    </div>
  );
}

/** A dropped folder looks like a file that cannot be read; only its entry tells. */
function droppedFiles(transfer: DataTransfer): { files: File[]; hasFolders: boolean } {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
  const folders = items.filter(isFolder);
  const files = items.filter((item) => !folders.includes(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, hasFolders: folders.length > 0 };
}

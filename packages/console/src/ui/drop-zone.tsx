import { type DragEvent, type ReactNode, useState } from "react";
import { notify } from "./notice.ts";

interface DropZoneProps {
  /** Undefined: drops are not accepted. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined;
  /** Shown while files are dragged over it: what a drop will do. */
  readonly invitation: ReactNode;
  /** The message about dropped folders, which are left out. */
  readonly noFolders: string;
  readonly children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

/** Accepts files that are dropped on its children. */
export function DropZone({ onFiles, invitation, noFolders, children }: DropZoneProps) {
  // Every child fires enter and leave events: the pointer is inside while there were more enters than leaves.
  const [depth, setDepth] = useState(0);
  if (!onFiles) return children;
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setDepth(0);
    const { files, hasFolders } = droppedFiles(event.dataTransfer);
    if (hasFolders) notify(noFolders);
    onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button does the same without dragging
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
          <p className="flex items-center gap-2 font-semibold text-accent">{invitation}</p>
        </div>
      )}
    </div>
  );
}

/** A dropped folder looks like an unreadable file; only its entry shows that it is a folder. */
function droppedFiles(transfer: DataTransfer): { files: File[]; hasFolders: boolean } {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
  const folders = items.filter(isFolder);
  const files = items.filter((item) => !folders.includes(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, hasFolders: folders.length > 0 };
}

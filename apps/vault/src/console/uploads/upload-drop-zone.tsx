import { DropZone } from "@andon/console/room";
import { Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useVaultWords } from "../i18n/words.ts";
import { addUploads } from "./uploads.ts";

interface UploadDropZoneProps {
  /** The folder to upload to; undefined: files cannot be dropped. */
  readonly folder: { readonly id: string; readonly path: string } | undefined;
  readonly children: ReactNode;
}

/** Uploads files that are dropped on its children. */
export function UploadDropZone({ folder, children }: UploadDropZoneProps) {
  const { files: say } = useVaultWords();
  const invitation = folder && (
    <>
      <Upload size={20} aria-hidden="true" /> {say.drop(folder.path)}
    </>
  );
  return (
    <DropZone
      onFiles={folder && ((files) => addUploads(files, folder))}
      invitation={invitation}
      noFolders={say.noFolders}
    >
      {children}
    </DropZone>
  );
}

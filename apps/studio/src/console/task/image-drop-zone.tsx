import { DropZone } from "@andon/console/room";
import { ImageUp } from "lucide-react";
import type { ReactNode } from "react";
import { useStudioWords } from "../i18n/words.ts";

interface ImageDropZoneProps {
  /** Undefined: dropping is disabled. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Accepts images dropped on its content. */
export function ImageDropZone({ onFiles, children }: ImageDropZoneProps) {
  const say = useStudioWords();
  const invitation = (
    <>
      <ImageUp size={20} aria-hidden="true" /> {say.drop}
    </>
  );
  return (
    <DropZone onFiles={onFiles} invitation={invitation} noFolders={say.noFolders}>
      {children}
    </DropZone>
  );
}

import { DropZone } from "@andon/console/room";
import { ImageUp } from "lucide-react";
import type { ReactNode } from "react";
import { useStudioWords } from "../i18n/words.ts";

interface ImageDropZoneProps {
  /** Undefined: nothing may be dropped. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

/** Takes images that are dropped on what it holds. */
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

import { Button } from "@andon/console/room";
import { Upload } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { useVaultWords } from "../i18n/words.ts";
import { addUploads } from "./uploads.ts";

/** Opens the browser's file dialog. */
export function UploadButton({ folder }: { folder: { readonly id: string; readonly path: string } }) {
  const { files: say } = useVaultWords();
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    addUploads([...(target.files ?? [])], folder);
    // Cleared, so that the same file can be chosen again.
    target.value = "";
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={say.upload}
        onChange={onChange}
      />
      <Button
        tone="primary"
        icon={<Upload size={15} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {say.upload}
      </Button>
    </>
  );
}

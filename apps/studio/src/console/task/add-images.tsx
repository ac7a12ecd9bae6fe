import { Button, Dialog, notify, Problem, queryClient, useMutation, useWords } from "@andon/console/room";
import { ImageUp, Link2 } from "lucide-react";
import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { studio } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { urlsIn } from "../tasks/image-urls.ts";
import { UrlField } from "../tasks/url-field.tsx";

interface AddImagesProps {
  readonly taskId: string;
  readonly isBusy: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

const ACCEPTED = "image/jpeg,image/png,image/webp,image/gif";

/** The two ways to add images besides dropping them: the browser's file dialog, and URLs. */
export function AddImages({ taskId, isBusy, onFiles }: AddImagesProps) {
  const say = useStudioWords();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])]);
    // Reset, so that the same file can be chosen again.
    target.value = "";
  };
  return (
    <div className="flex flex-wrap gap-2">
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        accept={ACCEPTED}
        aria-label={say.addImages}
        onChange={onChange}
      />
      <Button
        tone="primary"
        disabled={isBusy}
        icon={<ImageUp size={15} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {say.addImages}
      </Button>
      <Button icon={<Link2 size={15} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {say.addUrls}
      </Button>
      {isOpen && <UrlDialog taskId={taskId} onClose={() => setOpen(false)} />}
    </div>
  );
}

function UrlDialog({ taskId, onClose }: { taskId: string; onClose: () => void }) {
  const say = useStudioWords();
  const { common } = useWords();
  const add = useMutation({
    mutationFn: (urls: string[]) => studio().tasks.addImages({ id: taskId, urls }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["studio"] }),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const urls = urlsIn(String(new FormData(event.currentTarget).get("urls") ?? ""));
    if (add.isPending || urls.length === 0) return;
    const added = await add.mutateAsync(urls).catch(() => undefined);
    if (!added) return;
    notify(say.urlsAdded(urls.length));
    onClose();
  };
  return (
    <Dialog title={say.addUrls} onClose={onClose} isHeld={add.isPending}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <UrlField />
        {add.error && <Problem error={add.error} of="decision" />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={add.isPending} onClick={onClose}>
            {common.close}
          </Button>
          <Button tone="primary" type="submit" disabled={add.isPending}>
            {add.isPending ? common.pending : say.addImages}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

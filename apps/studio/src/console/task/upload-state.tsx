import { Button, isUnanswered, Problem, ProgressBar } from "@andon/console/room";
import { useStudioWords } from "../i18n/words.ts";
import { dismissUpload, type ImageUpload, stopUpload } from "./image-uploads.ts";

interface UploadStateProps {
  readonly taskId: string;
  readonly upload: ImageUpload;
  readonly onAgain: () => void;
}

/** The progress of an upload, or why nothing of it was stored. */
export function UploadState({ taskId, upload, onAgain }: UploadStateProps) {
  const say = useStudioWords();
  const { files, state, share, error } = upload;
  if (state === "failed") {
    return (
      <div className="flex flex-col gap-2" data-upload="failed">
        {isUnanswered(error) ? (
          <p role="alert" className="rounded-md bg-stop-wash px-3 py-2 text-stop-ink">
            {say.noAnswer}
          </p>
        ) : (
          <Problem error={error} of="decision" />
        )}
        <div className="flex gap-2">
          <Button onClick={onAgain}>{say.again}</Button>
          <Button tone="quiet" onClick={() => dismissUpload(taskId)}>
            {say.dismiss}
          </Button>
        </div>
      </div>
    );
  }
  const label = say.uploading(files.length);
  return (
    <div className="flex items-center gap-3" data-upload={state}>
      <div className="min-w-0 flex-1">
        <p className="pb-1 text-xs text-soft">{state === "storing" ? say.storing : label}</p>
        <ProgressBar label={label} value={share} max={1} />
      </div>
      {state === "sending" && (
        <Button tone="quiet" onClick={() => stopUpload(taskId)}>
          {say.stopUpload}
        </Button>
      )}
    </div>
  );
}

import { RefusedError } from "@andon/client";
import {
  Button,
  isUnanswered,
  Link,
  Panel,
  Problem,
  ProgressBar,
  spanText,
  useLanguage,
  useWords,
} from "@andon/console/room";
import { fileAddress } from "../addresses.ts";
import { useVaultWords } from "../i18n/words.ts";
import { Size, sizeText } from "../size.tsx";
import {
  canBeCleared,
  cancelUpload,
  clearFinished,
  dismissUpload,
  tryAgain,
  type Upload,
  useUploads,
} from "./uploads.ts";

/** The uploads of this page and their results. Renders nothing if there are none. */
export function UploadPanel() {
  const { uploads: say } = useVaultWords();
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  const failed = uploads.filter(({ state }) => state === "failed");
  const others = uploads.filter(({ state }) => state !== "failed");
  return (
    <div data-uploads>
      <Panel
        title={say.title}
        hint={<Summary uploads={uploads} />}
        aside={uploads.some(canBeCleared) && <Button onClick={clearFinished}>{say.clear}</Button>}
      >
        <ul className="max-h-80 divide-y divide-line overflow-y-auto">
          {[...failed, ...others].map((upload) => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Summary({ uploads }: { uploads: readonly Upload[] }) {
  const { uploads: say } = useVaultWords();
  const stored = uploads.filter(({ state }) => state === "done").length;
  const failed = uploads.filter(({ state }) => state === "failed");
  const unknown = failed.filter(({ error }) => isUnanswered(error)).length;
  const refused = failed.length - unknown;
  return (
    <>
      {say.summary(stored, uploads.length)}
      {refused > 0 && <strong className="text-stop-ink"> · {say.refused(refused)}</strong>}
      {unknown > 0 && <strong className="text-stop-ink"> · {say.unknown(unknown)}</strong>}
    </>
  );
}

/** An invalid name will be refused again; a taken name may be free by then. */
const isWorthAnotherTry = (error: unknown) =>
  !(error instanceof RefusedError && error.code === "INVALID_NAME");

function UploadRow({ upload }: { upload: Upload }) {
  const { uploads: say } = useVaultWords();
  const { key, file, place, state, sent, fileId, error } = upload;
  const isUnknown = state === "failed" && isUnanswered(error);
  return (
    <li className="flex flex-col gap-1 px-3 py-2 sm:px-4" data-upload={state}>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">
            {fileId ? <Link to={fileAddress(fileId)}>{file.name}</Link> : file.name}
          </p>
          <p className="text-xs text-faint wrap-anywhere">
            {say.to(place)} · <Size bytes={file.size} /> · {isUnknown ? say.noAnswer : say.state[state]}
            <Pace upload={upload} />
          </p>
        </div>
        {state === "failed" && (
          <div className="flex shrink-0 flex-wrap justify-end gap-1">
            {isWorthAnotherTry(error) && (
              <Button aria-label={say.againOf(file.name)} onClick={() => tryAgain(key)}>
                {say.again}
              </Button>
            )}
            <Button tone="quiet" aria-label={say.dismissOf(file.name)} onClick={() => dismissUpload(key)}>
              {say.dismiss}
            </Button>
          </div>
        )}
        {(state === "waiting" || state === "sending") && (
          <Button tone="quiet" aria-label={say.cancelOf(file.name)} onClick={() => cancelUpload(key)}>
            {say.cancel}
          </Button>
        )}
      </div>
      {(state === "sending" || state === "storing") && (
        <ProgressBar label={say.progress(file.name)} max={Math.max(1, file.size)} value={sent} />
      )}
      {error !== undefined && <UploadProblem error={error} />}
    </li>
  );
}

/**
 * Unlike the requests of a page, an upload without an answer is not retried automatically; its key prevents storing it
 * twice.
 */
function UploadProblem({ error }: { error: unknown }) {
  const { uploads: say } = useVaultWords();
  if (!isUnanswered(error)) return <Problem error={error} />;
  return (
    <p role="alert" className="rounded-md bg-stop-wash px-3 py-2 text-stop-ink">
      {say.noAnswerHint}
    </p>
  );
}

function Pace({ upload: { file, sent, speed, state } }: { upload: Upload }) {
  const { uploads: say } = useVaultWords();
  const words = useWords();
  const language = useLanguage();
  if (state !== "sending" || speed === 0) return null;
  const left = spanText(((file.size - sent) / speed) * 1_000, words);
  return (
    <>
      {" "}
      · {say.speed(sizeText(speed, language))} · {say.left(left)}
    </>
  );
}

import { buttonClass, Panel, useLanguage, useNumber } from "@andon/console/room";
import { Download } from "lucide-react";
import { useState } from "react";
import { filmAddress, type Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { sizeText } from "../size-text.ts";
import { filmOf, publicationOf } from "./phase-outputs.ts";

/** The film, once it exists. It plays here, and the server sends only the ranges that the player requests. */
export function FilmPanel({ task }: { task: Task }) {
  const say = useStudioWords();
  const language = useLanguage();
  const number = useNumber();
  const film = filmOf(task);
  const { seconds, size } = film ?? {};
  if (!task.hasVideo) {
    const isToCome = task.status === "waiting" || task.status === "processing";
    if (!isToCome) return null;
    return (
      <Panel title={say.film}>
        <p className="px-4 py-4 text-faint">{say.noFilm}</p>
      </Panel>
    );
  }
  const facts =
    seconds !== undefined && size !== undefined
      ? say.filmFacts(number(Math.round(seconds)), sizeText(size, language))
      : undefined;
  return (
    <Panel
      title={say.film}
      hint={facts}
      aside={
        <a href={filmAddress(task.taskId)} download className={buttonClass("plain")}>
          <Download size={15} aria-hidden="true" />
          {say.download}
        </a>
      }
    >
      <div className="flex flex-col gap-2 p-3 sm:p-4">
        <Player key={film?.tag} task={task} />
        <Published task={task} />
      </div>
    </Panel>
  );
}

function Player({ task: { taskId, title } }: { task: Task }) {
  const say = useStudioWords();
  const [hasFailed, setFailed] = useState(false);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the subtitles are part of the picture */}
      <video
        controls
        playsInline
        preload="metadata"
        aria-label={say.filmOf(title)}
        src={filmAddress(taskId)}
        onError={() => setFailed(true)}
        onLoadedData={() => setFailed(false)}
        className="aspect-video w-full rounded-md bg-black"
      />
      {hasFailed && (
        <p role="alert" className="rounded-md bg-stop-wash px-3 py-2 text-stop-ink">
          {say.filmFailed}
        </p>
      )}
    </>
  );
}

function Published({ task }: { task: Task }) {
  const say = useStudioWords();
  const published = publicationOf(task);
  if (!published) return null;
  const { url, file } = published;
  return (
    <p className="text-soft" data-published>
      {say.published}:{" "}
      {url !== undefined ? (
        <a href={url} target="_blank" rel="noreferrer" className="wrap-anywhere text-accent underline">
          {url}
        </a>
      ) : (
        <span className="path font-mono text-xs">{file ?? "–"}</span>
      )}
    </p>
  );
}

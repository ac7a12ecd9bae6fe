import { Empty, notify, Panel, useAllowed } from "@andon/console/room";
import { Images } from "lucide-react";
import type { Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { AddImages } from "./add-images.tsx";
import { ImageDropZone } from "./image-drop-zone.tsx";
import { ImageGrid } from "./image-grid.tsx";
import { uploadImages, useImageUpload } from "./image-uploads.ts";
import { UploadState } from "./upload-state.tsx";

const IMAGE_PHASE = "image";

/** Images can be added until the task has left its image phase; the server decides. */
function takesImages({ status, type, allPhases }: Task): boolean {
  const last = allPhases.indexOf(IMAGE_PHASE);
  const isOpen = status !== "completed" && status !== "cancelled";
  return isOpen && (last === -1 || allPhases.indexOf(type) <= last);
}

/** A cancel removes the files of generated and fetched images; their rows stay as a record. */
function imagesLeft({ status, images }: Task): Task["images"] {
  return status === "cancelled" ? images.filter(({ source }) => source === "upload") : images;
}

/** The images of a task, and the ways to add more: by drop, by file dialog or by URL. */
export function ImagesPanel({ task }: { task: Task }) {
  const say = useStudioWords();
  const mayWrite = useAllowed({ permission: "tasks.write" });
  const upload = useImageUpload(task.taskId);
  const images = imagesLeft(task);
  const removed = task.images.length - images.length;
  const isTaking = mayWrite && takesImages(task);
  const isBusy = upload !== undefined && upload.state !== "failed";
  const send = async (files: readonly File[]) => {
    if (await uploadImages(task.taskId, files)) notify(say.uploaded(files.length));
  };
  const hint = isTaking ? say.imageKinds : undefined;
  return (
    <ImageDropZone onFiles={isTaking && !isBusy ? (files) => void send(files) : undefined}>
      <Panel
        title={say.images}
        hint={hint}
        aside={
          isTaking && <AddImages taskId={task.taskId} isBusy={isBusy} onFiles={(files) => void send(files)} />
        }
      >
        <div className="flex flex-col gap-3 p-3 sm:p-4">
          {upload && (
            <UploadState taskId={task.taskId} upload={upload} onAgain={() => void send(upload.files)} />
          )}
          {images.length > 0 && <ImageGrid task={task} images={images} />}
          {removed > 0 && <p className="text-faint">{say.gone(removed)}</p>}
          {task.images.length === 0 && <NoImages task={task} isTaking={isTaking} />}
        </div>
      </Panel>
    </ImageDropZone>
  );
}

function NoImages({ task, isTaking }: { task: Task; isTaking: boolean }) {
  const say = useStudioWords();
  if (!isTaking) return <p className="text-faint">{say.noImagesLeft}</p>;
  if (task.imageSource === "titles") return <p className="text-faint">{say.cards}</p>;
  return (
    <div className="rounded-md border border-dashed border-line-strong">
      <Empty title={say.noImages} hint={say.noImagesHint} icon={Images} />
    </div>
  );
}

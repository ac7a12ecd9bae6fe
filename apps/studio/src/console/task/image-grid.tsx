import { useLanguage } from "@andon/console/room";
import { Image, ImageOff } from "lucide-react";
import { useState } from "react";
import { imageAddress, type Task, type TaskImage } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { sizeText } from "../size-text.ts";

/** The images of a task in the order in which the film shows them. */
export function ImageGrid({ task, images }: { task: Task; images: readonly TaskImage[] }) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
      {images.map((image) => (
        <li key={image.number} className="min-w-0" data-image={image.number}>
          <Picture task={task} image={image} />
          <Caption image={image} />
        </li>
      ))}
    </ul>
  );
}

function Picture({ task, image }: { task: Task; image: TaskImage }) {
  const say = useStudioWords();
  const [isBroken, setBroken] = useState(false);
  const address = imageAddress(task.taskId, image.number);
  if (isBroken) return <NoPicture icon={ImageOff} text={image.name} />;
  if (image.mimeType === null) return <NoPicture icon={Image} text={say.notFetched} />;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img
        src={address}
        alt={say.imageOf(image.number, image.name)}
        loading="lazy"
        onError={() => setBroken(true)}
        className="aspect-video w-full rounded-md border border-line bg-ground object-cover"
      />
    </a>
  );
}

function NoPicture({ icon: Icon, text }: { icon: typeof Image; text: string }) {
  return (
    <div className="flex aspect-video w-full flex-col items-center justify-center gap-1 rounded-md border border-dashed border-line-strong p-2 text-center text-xs text-faint">
      <Icon size={18} aria-hidden="true" />
      <span className="line-clamp-2 wrap-anywhere">{text}</span>
    </div>
  );
}

function Caption({ image: { number, name, size, url } }: { image: TaskImage }) {
  const language = useLanguage();
  return (
    <p className="pt-0.5 text-xs text-faint">
      <span className="block truncate" title={url ?? name}>
        {number}. {name}
      </span>
      {size !== null && sizeText(size, language)}
    </p>
  );
}

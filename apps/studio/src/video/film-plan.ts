import type { StudioSettings } from "../contract/settings.ts";
import type { Scene } from "../script/scenes.ts";
import { type Caption, captionsOf } from "./subtitles.ts";

type VideoSettings = StudioSettings["video"];

/** The reading speed in characters per second, by language. */
const READING = { ko: 9, en: 16 } as const;
const LONGEST_SCENE_SECONDS = 30;
const AFTER_SPEECH_SECONDS = 0.5;
const HOLD_LAST_FRAME = "tpad=stop_mode=clone:stop_duration=1";

interface PlannedScene {
  readonly text: string;
  /** The index of the image that it shows. */
  readonly image: number;
  /** The time on screen, including the fades. */
  readonly seconds: number;
  /** When its text is heard and shown: until the fade to the next scene begins. */
  readonly from: number;
  readonly to: number;
}

export interface FilmPlan {
  readonly scenes: readonly PlannedScene[];
  readonly captions: readonly Caption[];
  readonly seconds: number;
}

/** Plans when each scene is shown. `speech`: the seconds of each scene's speech, if the film is spoken. */
export function planFilm(
  scenes: readonly Scene[],
  images: number,
  video: Pick<VideoSettings, "sceneSeconds" | "fadeSeconds" | "width" | "height">,
  language: keyof typeof READING,
  speech?: readonly number[],
): FilmPlan {
  const { sceneSeconds, fadeSeconds } = video;
  let from = 0;
  const planned = scenes.map(({ text }, index) => {
    const spoken = speech?.[index];
    const needed =
      spoken === undefined ? text.length / READING[language] : spoken + AFTER_SPEECH_SECONDS + fadeSeconds;
    const longest = spoken === undefined ? LONGEST_SCENE_SECONDS : Number.POSITIVE_INFINITY;
    const shown = Math.max(sceneSeconds, Math.min(longest, needed));
    const seconds = Math.round(shown * 10) / 10;
    const to = from + seconds - (index === scenes.length - 1 ? 0 : fadeSeconds);
    const scene = { text, image: index % images, seconds, from, to };
    from = to;
    return scene;
  });
  return { scenes: planned, captions: planned.flatMap((scene) => captionsOf(scene, video)), seconds: from };
}

/**
 * The filters of a film. Each image is enlarged, so that the movement over it is smooth, and shown with a slow zoom,
 * alternately in and out. Scenes fade into each other, and subtitles come last. Each fade needs `fps` before it; otherwise
 * the timestamps of the two scenes do not match. `tpad`: rounding can leave a scene a frame short, and a fade would end the
 * film there. The excess is cut at the end.
 */
export function filtersOf({ scenes }: FilmPlan, { width, height, fps, fadeSeconds }: VideoSettings): string {
  const parts = scenes.map(({ seconds }, index) => {
    const frames = Math.round(seconds * fps);
    const [large, high] = [width * 2, height * 2];
    const step = (0.12 / frames).toFixed(6);
    const zoom = index % 2 === 0 ? `1+${step}*on` : `1.12-${step}*on`;
    const across =
      index % 3 === 0
        ? "(iw-iw/zoom)/2"
        : index % 3 === 1
          ? `(iw-iw/zoom)*on/${frames}`
          : `(iw-iw/zoom)*(1-on/${frames})`;
    return `[${index}:v]trim=end_frame=1,scale=${large}:${high}:force_original_aspect_ratio=increase,crop=${large}:${high},setsar=1,format=yuv420p,zoompan=z='${zoom}':x='${across}':y='(ih-ih/zoom)/2':d=${frames}:s=${width}x${height}:fps=${fps},fps=${fps},${HOLD_LAST_FRAME}[v${index}]`;
  });
  let last = "v0";
  let shown = scenes[0]?.seconds ?? 0;
  for (const [index, { seconds }] of scenes.entries()) {
    if (index === 0) continue;
    const offset = (shown - fadeSeconds).toFixed(3);
    parts.push(
      `[${last}][v${index}]xfade=transition=fade:duration=${fadeSeconds}:offset=${offset},fps=${fps},${HOLD_LAST_FRAME}[x${index}]`,
    );
    last = `x${index}`;
    shown += seconds - fadeSeconds;
  }
  parts.push(`[${last}]subtitles=film.ass,format=yuv420p[film]`);
  return parts.join(";");
}

/** The filters of a spoken film's sound: each speech fills the time of its scene. `first`: the number of its first input. */
export function soundFiltersOf({ scenes }: FilmPlan, first: number): string {
  const parts = scenes.map(({ from, to }, index) => {
    const seconds = (to - from).toFixed(3);
    return `[${first + index}:a]aresample=44100,aformat=channel_layouts=stereo,apad,atrim=0:${seconds},asetpts=PTS-STARTPTS[a${index}]`;
  });
  const inputs = scenes.map((_, index) => `[a${index}]`).join("");
  return [...parts, `${inputs}concat=n=${scenes.length}:v=0:a=1[sound]`].join(";");
}

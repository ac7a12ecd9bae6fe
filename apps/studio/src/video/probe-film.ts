import type { StudioSettings } from "../contract/settings.ts";
import { runProgram } from "./run-program.ts";

export interface FilmFacts {
  /** The length of the picture; subtitles can make the file longer. */
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly hasSound: boolean;
  readonly hasSubtitles: boolean;
}

interface Probed {
  readonly streams?: readonly {
    readonly codec_type?: string;
    readonly duration?: string;
    readonly width?: number;
    readonly height?: number;
  }[];
}

/** Reads the properties of a film with ffprobe. */
export async function probeFilm(
  { ffprobe }: Pick<StudioSettings["video"], "ffprobe">,
  name: string,
  options: { folder: string; signal: AbortSignal },
): Promise<FilmFacts> {
  const args = ["-v", "error", "-show_streams", "-of", "json", name];
  const { streams = [] } = JSON.parse(await runProgram(ffprobe, args, options)) as Probed;
  const picture = streams.find((stream) => stream.codec_type === "video");
  if (!picture) throw new Error("the film has no picture");
  return {
    seconds: Number(picture.duration ?? 0),
    width: picture.width ?? 0,
    height: picture.height ?? 0,
    hasSound: streams.some((stream) => stream.codec_type === "audio"),
    hasSubtitles: streams.some((stream) => stream.codec_type === "subtitle"),
  };
}

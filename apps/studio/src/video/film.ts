import type { FilmFacts } from "./probe-film.ts";

/** A film in the object store. */
export interface Film extends FilmFacts {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

/** The film among the outputs of a task's phases; the latest if there are several. */
export function filmIn(made: Readonly<Record<string, unknown>>): Film | undefined {
  return Object.values(made).findLast(isFilm);
}

function isFilm(output: unknown): output is Film {
  const { file, sha256 } = (output ?? {}) as Partial<Film>;
  return typeof file === "string" && typeof sha256 === "string";
}

import { withParticle } from "@andon/contract";
import type { FilmLanguage } from "../contract/states.ts";
import { LONGEST_SCENE, type Scene, scenesOfText } from "./scenes.ts";

/** The sentences around the points of a subject, by language. */
const FRAMES: Readonly<
  Record<
    FilmLanguage,
    {
      opening: (title: string) => string;
      points: readonly ((title: string) => string)[];
      ending: (title: string) => string;
    }
  >
> = {
  ko: {
    opening: (title) => `안녕하세요. 오늘의 주제는 "${title}"입니다.`,
    points: [
      (title) => `먼저 ${withParticle(`"${title}"`, "이(가)")} 무엇인지 간단히 살펴보겠습니다.`,
      (title) => `다음으로 ${withParticle(`"${title}"`, "이(가)")} 왜 중요한지 알아봅니다.`,
      (title) => `마지막으로 "${title}"에서 기억해 두면 좋은 점을 정리합니다.`,
    ],
    ending: (title) => `지금까지 "${title}"이었습니다. 시청해 주셔서 감사합니다.`,
  },
  en: {
    opening: (title) => `Welcome. Today's subject is "${title}".`,
    points: [
      (title) => `First, a short look at what "${title}" is about.`,
      (title) => `Next, why "${title}" matters.`,
      (title) => `Finally, what to remember about "${title}".`,
    ],
    ending: (title) => `That was "${title}". Thank you for watching.`,
  },
};

const MOST_POINTS = 8;

/** Writes a script without any service: an opening, the points of the prompt or three general ones, and an ending. */
export function writeOffline(title: string, prompt: string | null, language: FilmLanguage): Scene[] {
  const { opening, points, ending } = FRAMES[language];
  const short = title
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST_SCENE / 2);
  const given = prompt === null ? [] : pointsOf(prompt);
  const middle = given.length > 0 ? given : points.map((point) => ({ text: point(short) }));
  return [{ text: opening(short) }, ...middle, { text: ending(short) }];
}

/** Sentences, lines and list items of a prompt. */
function pointsOf(prompt: string): Scene[] {
  const lines = prompt
    .split(/\n+|(?<=[.!?。！？])\s+/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, "").trim())
    .filter((line) => line !== "");
  return scenesOfText(lines.join("\n")).slice(0, MOST_POINTS);
}

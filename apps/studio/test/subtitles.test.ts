import { describe, expect, test } from "vitest";
import { assOf, captionsOf, titleCard } from "../src/video/subtitles.ts";

const LOOK = { width: 1280, height: 720, font: "Noto Sans CJK KR" };
const LONG = "봄이 오면 전국의 공원과 강변에 벚꽃이 활짝 피고 많은 사람이 나들이를 떠납니다. "
  .repeat(9)
  .trim();

const linesOf = (document: string) =>
  document
    .split("\n")
    .filter((line) => line.startsWith("Dialogue"))
    .map((line) => line.split("\\N"));

describe("subtitles", () => {
  test("a long scene is shown in parts of two lines, one after the other", () => {
    const captions = captionsOf({ text: LONG, from: 2, to: 32 }, LOOK);
    expect(captions.length).toBeGreaterThan(2);
    expect(captions.map(({ text }) => text).join(" ")).toBe(LONG);
    expect([captions[0]?.from, captions.at(-1)?.to]).toEqual([2, 32]);
    for (const [at, { from, to }] of captions.entries()) {
      expect(to).toBeGreaterThan(from);
      if (at > 0) expect(from).toBe(captions[at - 1]?.to);
    }
    for (const lines of linesOf(assOf(captions, LOOK))) expect(lines.length).toBeLessThanOrEqual(2);
  });

  test("a short scene is one part", () => {
    expect(captionsOf({ text: "봄.", from: 0, to: 5 }, LOOK)).toEqual([{ text: "봄.", from: 0, to: 5 }]);
  });

  test("a card's text shrinks until it fits above the subtitles", () => {
    for (const text of ["봄", LONG]) {
      const card = titleCard(text, LOOK);
      const size = Number(/Style: Default,[^,]+,(\d+)/.exec(card)?.[1]);
      const [lines = []] = linesOf(card);
      expect(lines.length * size).toBeLessThan(LOOK.height * 0.7);
      expect(size).toBeGreaterThan(20);
    }
  });
});

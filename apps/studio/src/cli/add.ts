import { command, EXIT, Failure } from "@andon/cli/app";
import { STUDIO_ROUTES } from "../contract/routes.ts";
import { IMAGE_SOURCES, LANGUAGES } from "../contract/states.ts";
import { TASK } from "./i18n.ts";
import { inputText } from "./read-input.ts";

export const taskAdd = command({
  name: "task add",
  says: {
    en: "Creates a task: a film from a title",
    ko: "작업을 만듭니다. 제목으로 영상을 만드는 작업입니다",
  },
  example: 'andon task add "Spring in Seoul" --images titles --at 2026-04-01T09:00:00Z',
  given: { title: { says: { en: "what the film is called", ko: "영상 제목" } } },
  options: {
    prompt: {
      says: { en: "what it is about; default: the title", ko: "영상 내용. 기본값: 제목" },
      value: "text",
    },
    script: {
      says: {
        en: "a file with the script, one paragraph per scene; - reads standard input",
        ko: "대본 파일. 한 문단이 한 장면. -는 표준 입력",
      },
      value: "file",
    },
    at: {
      says: { en: "not before this time; default: now", ko: "이 시각 전에는 시작하지 않음. 기본값: 지금" },
      value: "time",
      time: true,
    },
    priority: {
      says: { en: "higher goes first; default: 0", ko: "높을수록 먼저. 기본값: 0" },
      value: "number",
      whole: true,
      least: -1_000_000,
      most: 1_000_000,
    },
    images: {
      says: {
        en: "upload: it waits for images; titles: each scene is a card; default: upload",
        ko: "upload: 이미지를 기다림, titles: 장면마다 글자 카드. 기본값: upload",
      },
      value: "source",
      choices: IMAGE_SOURCES,
    },
    urls: {
      says: { en: "images to fetch, with commas between them", ko: "가져올 이미지 주소, 쉼표로 구분" },
      value: "urls",
    },
    language: {
      says: {
        en: "of script and speech; default: that of title, prompt and script",
        ko: "대본과 음성의 언어. 기본값: 제목, 내용, 대본의 언어",
      },
      value: "language",
      choices: LANGUAGES,
    },
    speech: { says: { en: "speak the text", ko: "음성으로 읽기" } },
    user: {
      says: { en: "whose task it is; default: the caller", ko: "누구의 작업인지. 기본값: 호출자" },
      value: "user",
    },
  },
  async run({ given: { title }, options, clientOf, out, shell }) {
    const { prompt, script, at, priority, images, urls, language, speech, user } = options;
    if (title.trim() === "") throw new Failure(EXIT.usage, TASK.titleBlank);
    const text = script === undefined ? undefined : await inputText(shell, script);
    const made = await clientOf(STUDIO_ROUTES).tasks.create({
      title,
      prompt,
      script: text,
      scheduledTime: at,
      priority,
      imageSource: images,
      images: urls === undefined ? undefined : urlsIn(urls),
      language,
      userId: user,
      ...(speech ? { speech } : {}),
    });
    out.answer(made, () => `${out.say(TASK.made, made)}\n${out.paint("dim", out.say(TASK.nextWatch, made))}`);
    return undefined;
  },
});

/** Addresses may have commas of their own: the next one begins behind a comma with its scheme. */
function urlsIn(text: string): string[] {
  return text
    .trim()
    .split(/[\s,]+(?=https?:\/\/)/i)
    .map((url) => url.replace(/,$/, ""));
}

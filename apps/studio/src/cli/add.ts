import { command, EXIT, Failure } from "@andon/cli/app";
import { STUDIO_ROUTES } from "../contract/routes.ts";
import { IMAGE_SOURCES, LANGUAGES } from "../contract/states.ts";
import { TASK } from "./i18n.ts";
import { inputText } from "./read-input.ts";

export const taskAdd = command({
  name: "task add",
  says: {
    en: "Creates a task that makes a film from a title",
    ko: "제목으로 영상을 만드는 작업을 추가합니다",
  },
  example: 'andon task add "Spring in Seoul" --images titles --at 2026-04-01T09:00:00Z',
  given: { title: { says: { en: "the title of the film", ko: "영상 제목" } } },
  options: {
    prompt: {
      says: { en: "what the film is about. Default: the title", ko: "영상 내용. 기본값: 제목" },
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
      says: { en: "not before this time. Default: now", ko: "이 시각 전에는 시작하지 않음. 기본값: 지금" },
      value: "time",
      time: true,
    },
    priority: {
      says: { en: "higher goes first. Default: 0", ko: "높을수록 먼저. 기본값: 0" },
      value: "number",
      whole: true,
      least: -1_000_000,
      most: 1_000_000,
    },
    images: {
      says: {
        en: "where images come from: people bring them, or each scene is a card with its text (default: upload)",
        ko: "이미지를 어디서 얻을지: 이미지를 올릴 때까지 기다리거나 장면마다 글자 카드를 만듦(기본값: upload)",
      },
      value: "source",
      choices: IMAGE_SOURCES,
    },
    urls: {
      says: {
        en: "addresses of images to fetch, separated by commas",
        ko: "가져올 이미지 주소, 쉼표로 구분",
      },
      value: "urls",
    },
    language: {
      says: {
        en: "the language of script and speech (default: that of title, prompt and script)",
        ko: "대본과 음성의 언어(기본값: 제목, 내용, 대본의 언어)",
      },
      value: "language",
      choices: LANGUAGES,
    },
    speech: { says: { en: "speak the text", ko: "음성으로 읽기" } },
    user: {
      says: {
        en: "the user that the task belongs to. Default: the caller",
        ko: "작업의 사용자. 기본값: 호출자",
      },
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

/** Splits a list of URLs. A URL may contain commas, so the next one begins only at a comma followed by a scheme. */
function urlsIn(text: string): string[] {
  return text
    .trim()
    .split(/[\s,]+(?=https?:\/\/)/i)
    .map((url) => url.replace(/,$/, ""));
}

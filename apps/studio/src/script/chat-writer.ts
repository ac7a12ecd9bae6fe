import { Unretryable } from "@andon/engine";
import type { StudioSettings } from "../contract/settings.ts";
import { ServiceWait } from "../phases/service-wait.ts";
import type { TaskRow } from "../tasks/task-rows.ts";
import { LONGEST_SCENE, MOST_SCENES, type Scene } from "./scenes.ts";

type ChatSettings = StudioSettings["script"] & { readonly endpoint: string };

const LARGEST_ANSWER = 1024 * 1024;
const DEFAULT_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

const BUSY = {
  en: "The chat endpoint is busy: it answered {status}.",
  ko: "대본 생성 서버가 바쁩니다({status} 응답).",
};

/** The endpoint answered without a usable script. */
class ScriptRefused extends Unretryable {
  override readonly name = "ScriptRefused";
  readonly code = "SCRIPT_REFUSED";
  readonly localized: { en: string; ko: string };

  constructor(problem: string, options?: { cause?: unknown }) {
    const en = `The chat endpoint gave no usable script: ${problem}`;
    super(en, options);
    this.localized = { en, ko: `대본 생성 서버가 사용할 수 있는 대본을 주지 않았습니다: ${problem}` };
  }
}

/** Requests the scenes of a film from a chat endpoint with the OpenAI protocol. */
export async function writeByChat(
  settings: ChatSettings,
  task: Pick<TaskRow, "title" | "prompt" | "language">,
  signal: AbortSignal,
): Promise<Scene[]> {
  const { endpoint, apiKey, timeout } = settings;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(questionOf(settings.model, task)),
      signal: limited,
    });
    if (response.status === 429 || response.status === 503)
      throw new ServiceWait(pauseOf(response.headers.get("retry-after")), BUSY, { status: response.status });
    const text = await textOf(response);
    if (!response.ok) throw new ScriptRefused(`it answered ${response.status} ${text.slice(0, 200)}`);
    return scenesIn(text);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (limited.aborted) throw new ScriptRefused(`no answer within ${timeout / 1_000} s`);
    if (error instanceof ScriptRefused || error instanceof ServiceWait) throw error;
    const cause = (error as { cause?: unknown }).cause;
    throw new ScriptRefused(cause instanceof Error ? cause.message : (error as Error).message, {
      cause: error,
    });
  }
}

function questionOf(
  model: string | undefined,
  { title, prompt, language }: Pick<TaskRow, "title" | "prompt" | "language">,
) {
  const tongue = language === "ko" ? "Korean" : "English";
  return {
    model,
    messages: [
      {
        role: "system",
        content: `You write narration for short films in ${tongue}. Answer with JSON only: {"scenes":[{"text":"..."}]}, 3 to 12 scenes of one or two sentences.`,
      },
      { role: "user", content: prompt === null ? title : `${title}\n\n${prompt}` },
    ],
    response_format: { type: "json_object" },
    stream: false,
  };
}

/** `Retry-After`: seconds, or a date. */
function pauseOf(header: string | null): number {
  const given =
    header === null
      ? Number.NaN
      : /^\d+$/.test(header)
        ? Number(header) * 1_000
        : Date.parse(header) - Date.now();
  return Number.isFinite(given) ? Math.min(LONGEST_PAUSE_MS, Math.max(1_000, given)) : DEFAULT_PAUSE_MS;
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > LARGEST_ANSWER) throw new ScriptRefused("the answer is too long");
  }
  return text + decoder.decode();
}

interface ChatAnswer {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}

function scenesIn(text: string): Scene[] {
  const content = (parsed(text, "the answer") as ChatAnswer | null)?.choices?.[0]?.message?.content;
  if (typeof content !== "string") throw new ScriptRefused("the answer has no message");
  // Models often wrap JSON in a code block.
  const bare = content.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, "$1");
  const { scenes } = (parsed(bare, "the message") ?? {}) as { scenes?: unknown };
  if (!Array.isArray(scenes)) throw new ScriptRefused("the message has no list `scenes`");
  const texts = scenes.map((scene) =>
    typeof scene === "string" ? scene : (scene as { text?: unknown } | null)?.text,
  );
  const usable = texts
    .filter((scene): scene is string => typeof scene === "string" && scene.trim() !== "")
    .map((scene) => ({
      text: scene.replace(/\s+/g, " ").trim().slice(0, LONGEST_SCENE).toWellFormed().replaceAll("\u0000", ""),
    }));
  if (usable.length === 0) throw new ScriptRefused("no scene has a text");
  return usable.slice(0, MOST_SCENES);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ScriptRefused(`${what} is not JSON`, { cause });
  }
}

import type { Job, Language, RehearsalQuestions } from "@andon/contract";
import type { PushSender } from "./push-sender.ts";

type Chunk = { readonly state: string; readonly recipients: number } | undefined;

const DETAILS = {
  forgotten: {
    en: "its bulk job was deleted: nothing is sent",
    ko: "대량 작업이 삭제되어 보낼 것이 없습니다",
  },
  sent: { en: "already sent: it ends at once", ko: "이미 보냈으므로 바로 끝납니다" },
  waits: { en: "{count} recipients", ko: "수신자 {count}명" },
} as const;

/** Whether the receiver of pushes can be reached, and what each job would send. */
export function pushRehearsal(
  { ask }: PushSender,
  chunkOf: (job: Job) => Promise<Chunk>,
): RehearsalQuestions {
  return {
    destination: async ({ signal }) => {
      await ask?.(signal);
      return null;
    },
    check: async (job, { language }) => [
      { name: "recipients", ok: true, detail: detailOf(await chunkOf(job), language) },
    ],
  };
}

function detailOf(chunk: Chunk, language: Language): string {
  if (!chunk) return DETAILS.forgotten[language];
  if (chunk.state === "SENT") return DETAILS.sent[language];
  return DETAILS.waits[language].replace("{count}", String(chunk.recipients));
}

import { HISTORY_STEP_NAMES } from "@andon/contract";
import type { HistoryQuestion } from "../history/history-of.ts";
import { LATEST_TIME } from "../lifecycle/latest-time.ts";
import { refused } from "./checked-argument.ts";

const THE_HISTORY = { en: "the history's options", ko: "히스토리 옵션" };
const A_TIME = { en: "a time in milliseconds", ko: "밀리초 단위의 시각" };

export function checkedHistory(question: HistoryQuestion): HistoryQuestion {
  for (const option of ["from", "to"] as const) {
    const time = question[option];
    if (time !== undefined && !(Number.isFinite(time) && time >= 0 && time <= LATEST_TIME))
      refused(THE_HISTORY, option, time, A_TIME);
  }
  const { step } = question;
  if (step !== undefined && !HISTORY_STEP_NAMES.includes(step)) {
    const allowed = HISTORY_STEP_NAMES.map((name) => `"${name}"`).join(", ");
    refused(THE_HISTORY, "step", step, { en: allowed, ko: allowed });
  }
  return question;
}

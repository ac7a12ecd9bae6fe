import { REHEARSED_JOBS, type RehearsalOptions } from "@andon/contract";
import { refused } from "./checked-argument.ts";

const THE_REHEARSAL = { en: "the rehearsal's options", ko: "리허설 옵션" };
const A_NUMBER = {
  en: `a whole number from 1 to ${REHEARSED_JOBS.most}`,
  ko: `1부터 ${REHEARSED_JOBS.most}까지의 정수`,
};

export function checkedRehearsal(options: RehearsalOptions): RehearsalOptions {
  const { limit } = options;
  const fits = limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= REHEARSED_JOBS.most);
  if (!fits) refused(THE_REHEARSAL, "limit", limit, A_NUMBER);
  return options;
}

import type { RehearsalQuestions } from "@andon/contract";
import type { AbortFlags } from "../abort/abort-flags.ts";

const DETAILS = {
  there: { en: "Redis answers", ko: "Redis가 응답합니다" },
  away: {
    en: "Redis is away: the job runs, and an abort goes through the database alone",
    ko: "Redis가 응답하지 않습니다. 작업은 실행되고, 중단은 데이터베이스로만 전달됩니다",
  },
} as const;

/**
 * Bulk jobs write only to the database, and the rehearsal has just read from it. Redis only carries aborts: no job fails
 * without it.
 */
export function bulkRehearsal(flags: AbortFlags): RehearsalQuestions {
  return {
    destination: async () => null,
    check: async (_job, { language }) => {
      if (!flags.isSeparate) return [];
      const found = await flags.ping().then(
        () => "there" as const,
        () => "away" as const,
      );
      return [{ name: "redis", ok: true, detail: DETAILS[found][language] }];
    },
  };
}

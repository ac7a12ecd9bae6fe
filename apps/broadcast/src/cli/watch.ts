import { command, EXIT, LiveBlock, type Output, sleep } from "@andon/cli/app";
import { BROADCAST_ROUTES } from "../contract/routes.ts";
import { BULK } from "./i18n.ts";
import { type BulkJob, shownJob, timeOrDash } from "./shown-job.ts";

const LOOK_MS = 500;
const BAR_WIDTH = 30;
const ENDED: readonly BulkJob["state"][] = ["ABORTED", "COMPLETED", "FAILED"];

export const bulkWatch = command({
  name: "bulk watch",
  says: {
    en: "Follows a bulk job with a progress bar until it ends; ends with 1 unless it is completed",
    ko: "대량 작업이 끝날 때까지 진행 막대로 보여 줍니다. 완료되지 않으면 종료 코드 1",
  },
  example: "andon bulk watch 0198c0de-0000-7000-8000-000000000000",
  given: { id: { says: BULK.jobId } },
  async run({ given, clientOf, out, shell }) {
    const { bulkJobs } = clientOf(BROADCAST_ROUTES);
    const signal = shell.interruption();
    const live = new LiveBlock(shell.stderr);
    let job: BulkJob = await bulkJobs.show(given);
    try {
      while (!ENDED.includes(job.state)) {
        live.show([barOf(out, job)]);
        await sleep(LOOK_MS, signal);
        job = await bulkJobs.show(given);
      }
    } finally {
      live.end();
      if (signal.aborted) out.note(BULK.goesOn);
    }
    out.answer(job, () => shownJob(out, job));
    return job.state === "COMPLETED" ? EXIT.ok : EXIT.refused;
  },
});

function barOf(out: Output, { processed, total, ratePerSecond, estimatedEndAt, state }: BulkJob): string {
  const full = total ? Math.round((processed / total) * BAR_WIDTH) : 0;
  return out.say(BULK.watching, {
    bar: "█".repeat(full) + "░".repeat(BAR_WIDTH - full),
    processed,
    total: total ?? "?",
    rate: ratePerSecond ?? "-",
    end: timeOrDash(estimatedEndAt),
    state,
  });
}

const n = (count: number) => count.toLocaleString("en");
const jobs = (count: number) => `${n(count)} ${count === 1 ? "job" : "jobs"}`;

/** Texts of rehearsals, of a resume in waves, and of earlier remedies. */
export const decideEn = {
  rehearsal: {
    title: "What it will meet",
    again: "Check again",
    checkedAt: "Checked",
    destination: "Destination",
    answers: (ms: number) => `Answers (${n(ms)} ms)`,
    away: (problem: string) => `Does not answer: ${problem}`,
    unasked: "Not checked: this queue does not say how to ask it",
    toEmpty: "Time to empty",
    roughly: (span: string) => `about ${span}`,
    unknownTime: "not known: there is no history yet",
    next: "Next jobs, in order",
    nothingWaits: "Nothing waits.",
    noChecks: "no pre-check",
    passes: "passes",
    willFail: "will fail",
    allFailAgain: "The destination does not answer: every job that starts now will fail again.",
    someWillFail: (failing: number, of: number) =>
      `${n(failing)} of the next ${jobs(of)} will fail as things are now.`,
    stillAllowed: "You can resume all the same.",
  },
  ramp: {
    choice: "How to resume",
    fully: "All at once",
    fullyHint: "Every waiting job may start.",
    waves: "In waves: 1, 10, then 100 jobs",
    wavesHint: "A wave starts when the one before has ended. The first failure stops the queue again.",
    effect: "They do not start all at once: 1 job first, then 10, then 100, then the rest.",
    effectStops: "The first failed attempt stops the queue again. That job keeps its place and its attempts.",
    title: "Resuming in waves",
    wave: (wave: number, of: number) => `Wave ${n(wave)} of ${n(of)}`,
    size: (size: number) => `up to ${jobs(size)}`,
    started: "Started",
    done: "Done",
    failed: "Failed",
    after: "After the last wave all jobs may start.",
    stopped: "The resume in waves was stopped by a failure",
    stoppedBy: "This job failed in its wave. It is back at its place, and the attempt was not charged.",
  },
  cause: {
    before: "What was done before",
    retried: (retried: number, worked: number) =>
      `retried ${retried === 1 ? "once" : `${n(retried)} times`}, ${retried === 1 ? (worked === 1 ? "it worked" : "it did not work") : `${n(worked)} worked`}`,
    skipped: (skipped: number) => `skipped ${skipped === 1 ? "once" : `${n(skipped)} times`}`,
    last: { retry: "last: retried", skip: "last: skipped" },
    worked: "worked",
    failedAgain: "failed again",
    of: {
      retry: (count: number, code: string) => `Retry the ${jobs(count)} that failed with ${code}`,
      skip: (count: number, code: string) => `Skip the ${jobs(count)} that failed with ${code}`,
    },
  },
};

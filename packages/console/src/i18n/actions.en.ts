/** The name of each decision, and its exact effects. */
const n = (count: number) => count.toLocaleString("en");
const jobs = (count: number) => `${n(count)} ${count === 1 ? "job" : "jobs"}`;
const failedJobs = (count: number) => `${n(count)} failed ${count === 1 ? "job" : "jobs"}`;

export interface EndedOperation {
  readonly state: string;
  readonly done: number;
  readonly leftOut: { readonly count: number };
  readonly problem: string | null;
}

export const actionsEn = {
  retry: "Retry",
  skip: "Skip",
  cancel: "Cancel job",
  "run-now": "Run now",
  delete: "Delete",
  retryAll: "Retry all",
  retryAllAndResume: "Retry all and resume",
  skipAllAndResume: "Skip all and resume",
  resume: "Resume queue",
  tryProbe: "Try the probe now",
  pause: "Pause queue",
  deleteQueue: "Delete queue",
  hold: "Hold lane",
  release: "Release lane",
  cancelRest: "Cancel what waits",
  typeTicket: "Type the ticket to confirm",
  willHappen: "What will happen",
  of: {
    retry: (ticket: string) => `Retry job #${ticket}`,
    skip: (ticket: string) => `Skip job #${ticket}`,
    cancel: (ticket: string) => `Cancel job #${ticket}`,
    "run-now": (ticket: string) => `Run job #${ticket} now`,
    delete: (ticket: string) => `Delete job #${ticket}`,
    retryAll: (queue: string) => `Retry all failed jobs of ${queue}`,
    retryAllAndResume: (queue: string) => `Retry all failed jobs of ${queue} and resume it`,
    skipAllAndResume: (queue: string) => `Skip all failed jobs of ${queue} and resume it`,
    resume: (queue: string) => `Resume ${queue}`,
    tryProbe: (queue: string) => `Try the probe of ${queue} now`,
    pause: (queue: string) => `Pause ${queue}`,
    deleteQueue: (queue: string) => `Delete ${queue} and all its data`,
    hold: (key: string) => `Hold lane ${key}`,
    release: (key: string) => `Release lane ${key}`,
    cancelRest: (key: string) => `Cancel what waits in lane ${key}`,
  },
  effect: {
    retryJob: "The job is queued again at its old place, with fresh attempts and a new ticket.",
    retryAtHead: "The job is queued again at the head of the line, with fresh attempts.",
    queueStands: "The queue is stopped: nothing starts before it is resumed.",
    queueRuns: "The queue is running: it may start at once.",
    skipJob: "The job is skipped. It will not run again.",
    skipLane: "What waits behind it in its lane goes on without it.",
    cancelWaiting: "The job is cancelled at once. It will not run.",
    cancelRan: "The job is cancelled at once. It will not run again.",
    cancelHead: "The next job of its lane, if one waits, goes on without it.",
    cancelRunning: "The running handler is asked to stop. Until it has stopped, the job still runs.",
    runNow: "The job no longer waits for its time. It starts when a place is free.",
    deleteJob:
      "The job is deleted for good, with its attempts, idempotency key and events. This cannot be undone.",
    auditStays: "The audit log keeps who deleted it and why.",
    deleteQueue: (count: number) =>
      `The queue is deleted for good with its ${jobs(count)}, lanes, stops and history. This cannot be undone.`,
    deleteUnworked: "The server refuses this while a worker processes the queue.",
    retryAll: (failed: number) =>
      `${failedJobs(failed)} ${failed === 1 ? "is" : "are"} queued again at ${failed === 1 ? "its" : "their"} old place.`,
    notResumed: "The queue is not resumed by this.",
    skipAll: (failed: number) => `${failedJobs(failed)} ${failed === 1 ? "is" : "are"} skipped, all or none.`,
    resume: (waiting: number) =>
      waiting === 0
        ? "The queue goes on. Nothing waits at the moment."
        : `The queue goes on: ${jobs(waiting)} that ${waiting === 1 ? "waits" : "wait"} may start.`,
    delayed: (delayed: number) =>
      `${jobs(delayed)} still ${delayed === 1 ? "waits" : "wait"} for a later time.`,
    failedStay: (failed: number) => `${failedJobs(failed)} ${failed === 1 ? "stays" : "stay"} failed.`,
    overtakes: (failed: number) =>
      `Later jobs then run before the failed ${failed === 1 ? "one" : "ones"}. “Retry all and resume” keeps the order.`,
    lanesStay: (lanes: number) =>
      `${n(lanes)} held ${lanes === 1 ? "lane stays" : "lanes stay"} held: what waits in ${lanes === 1 ? "it" : "them"} does not start.`,
    degradedUntested: "The probe has not succeeded yet: the destination may still be away.",
    degradedOpens: "The queue counts as well again: all jobs may start, not only the probe.",
    tryProbe: (ticket: string) => `Job #${ticket}, the probe, tests the destination now and not later.`,
    probeOpens: "If it succeeds, the queue opens by itself and all jobs may start.",
    probeStays: "If it fails, the queue stays degraded, and one more of its attempts is used.",
    probeStops: "If it fails, that was its last attempt: the queue stops.",
    pause: (active: number) =>
      active === 0
        ? "Nothing more starts. Nothing runs at the moment."
        : `Nothing more starts. ${jobs(active)} that ${active === 1 ? "runs" : "run"} now may finish.`,
    pauseWaiting: (waiting: number) =>
      `${jobs(waiting)} ${waiting === 1 ? "keeps its place" : "keep their places"}.`,
    hold: "Nothing more of this lane starts until it is released. What runs may finish.",
    release: (depth: number) => `The lane goes on: ${jobs(depth)} in it may start in order.`,
    cancelRest: "What waits in this lane is cancelled and will not run. What runs may finish.",
  },
  operation: {
    title: "In progress",
    of: {
      "retry-all": "Retrying all failed jobs",
      "skip-all-and-resume": "Skipping all failed jobs; the queue resumes at the end",
      retry: "Retrying the jobs of a plan",
      skip: "Skipping the jobs of a plan",
      cancel: "Cancelling the jobs of a plan",
      "cancel-rest": "Cancelling what waits in a lane",
      "skip-with-rest": "Skipping a job and cancelling what waits behind it",
      "cancel-rest-after-failure": "Cancelling what waits behind a failed job",
      purge: "Deleting old jobs",
      "delete-queue": "Deleting a queue with all its jobs",
    },
    listing: "Listing the jobs…",
    progress: (done: number, total: number) =>
      `${n(done)} of ${n(total)} jobs done. It continues if you close this page.`,
    leftOut: (count: number) =>
      `${jobs(count)} left out: ${count === 1 ? "it" : "they"} had changed or could not be changed`,
    ended: ({ state, done, leftOut, problem }: EndedOperation) =>
      [
        `${jobs(done)} done`,
        leftOut.count > 0 ? `, ${n(leftOut.count)} left out.` : ".",
        state === "FAILED" ? ` Not completed: ${problem}` : "",
      ].join(""),
  },
  nextResume: "The queue is still stopped. Resume it when you are ready.",
};

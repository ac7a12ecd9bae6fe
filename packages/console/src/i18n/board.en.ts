const n = (count: number) => count.toLocaleString("en");
const jobs = (count: number) => `${n(count)} ${count === 1 ? "job" : "jobs"}`;

/** The first page: queues as rows, running jobs, and the guided demo of an empty system. */
export const boardEn = {
  overview: {
    title: "Queues",
    queue: "Queue",
    state: "State",
    lastHour: "Last hour",
    name: "Queue",
    waiting: "Waiting",
    oldest: "Oldest",
    running: "Running",
    failed: "Failed",
    rate: "Per min",
    drain: "Until empty",
    done: "done",
    part: (from: number, to: number) => `Queues ${n(from)} to ${n(to)}`,
    compact: "Compact rows",
    filter: "Filter queues",
    noMatch: (text: string) => `No queue has “${text}” in its name.`,
    sparkline: (done: number, failed: number, most: number) =>
      `Last hour: ${n(done)} done, ${n(failed)} failed, at most ${n(most)} per minute`,
    sparklineNone: "Last hour: no job ended",
    system: (count: number) => `${n(count)} system ${count === 1 ? "queue" : "queues"}`,
    systemState: ({ waiting, running }: { waiting: number; running: number }) =>
      waiting + running === 0
        ? "idle: clean-up, deliveries, schedules"
        : `${n(running)} running · ${n(waiting)} waiting`,
    more: (count: number) => `${n(count)} more need a person`,
    decide: (action: string, queue: string) => `${action}: ${queue}`,
  },
  runningNow: {
    title: "Running now",
    nothing: "No job is running.",
    more: (count: number) => `${jobs(count)} more`,
    progressOf: (job: string) => `Progress of ${job}`,
    noProgress: "no progress reported",
  },
  demo: {
    title: "See a real stop, and decide about it",
    intro:
      "Six files are copied to a folder that plays a NAS. In the middle the NAS goes away, the line stops, and you bring it back. It takes a minute.",
    start: "Start the demo",
    startTitle: "Start the demo?",
    startEffects: [
      "A queue called “andon-demo” is made in this system, with six jobs.",
      "Its files are in a folder of its own below the data folder. No other queue and no NAS is touched.",
      "The stop sends a real alert, also to the alert channels of the settings.",
      "“Remove the demo” deletes the queue, its jobs and its files. The audit log keeps the decisions.",
    ],
    started: "The demo runs.",
    steps: {
      copying: "Files are copied",
      failing: "The NAS goes away",
      stopped: "The line stops",
      plugged: "You decide",
      done: "It goes on",
    },
    says: {
      copying:
        "The queue “andon-demo” copies one file after the other. “Running now” below shows how far it is.",
      failing: "The NAS does not answer. The job is tried three times, and nothing overtakes it.",
      stopped:
        "The third attempt failed, and the line stopped in the same transaction. Open the queue to see why. Then plug the NAS in again.",
      plugged: "The NAS is back. Nothing goes on by itself: choose “Retry all and resume”.",
      done: "All six files are on the NAS, in their order. That is the whole story.",
    },
    plug: "Plug the NAS in again",
    plugged: "The NAS is back.",
    lookAt: "Open the queue",
    remove: "Remove the demo",
    removeTitle: "Remove the demo?",
    removeEffects: [
      "The queue “andon-demo”, its jobs and its files are deleted.",
      "Its alert is resolved. The audit log keeps the decisions.",
    ],
    removed: "The demo is removed.",
    elsewhere: "The demo belongs to another process of this system. It can be removed where it was started.",
  },
};

/**
 * The program of an extraction process. It runs the requests of its parent one at a time, and ends with its parent. Nothing
 * else waits in this process, so single steps read and write files synchronously.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FromProcess, ToProcess } from "../messages.ts";
import type { ExtractRequest, ExtractResult } from "../port.ts";
import { describeFailure } from "./describe-failure.ts";
import { followParent } from "./follow-parent.ts";

type Program = (order: ToProcess) => Promise<ExtractResult>;

/** Loaded on first use, so that a process that only reads text never loads the libraries for images. */
const PROGRAMS: Record<ExtractRequest["task"], () => Promise<Program>> = {
  probe: async () => (await import("./probe.ts")).probe,
  image: async () => (await import("./image.ts")).extractImage,
  text: async () => (await import("./text.ts")).extractText,
  ocr: async () => (await import("./ocr.ts")).recognizeText,
};

async function run(order: ToProcess): Promise<FromProcess> {
  try {
    const program = await PROGRAMS[order.request.task]();
    const result = await program(order);
    for (const file of [result.thumbnail, result.textFile])
      if (file !== undefined)
        renameSync(join(order.workFolder, file), join(order.request.outputFolder, file));
    return { kind: "done", result };
  } catch (error) {
    return { kind: "failed", ...describeFailure(error) };
  }
}

/** Makes the kernel end this process before all others when the machine runs out of memory. */
function volunteerForOomKiller(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not Linux, or not allowed: the limits of each request still hold.
  }
}

followParent();
volunteerForOomKiller();
process.on("message", (order: ToProcess) => {
  void run(order).then((answer) => process.send?.(answer));
});

import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DemoNas, JobDescription } from "@andon/app";
import type { Job, RehearsalQuestions } from "@andon/contract";
import type { Handler } from "@andon/engine";

export interface DemoPayload {
  readonly name: string;
  /** After this file the folder that stands for the NAS is moved away. */
  readonly nasGoesAway: boolean;
}

const PARTS = 10;

/** Copies one file of the demo to its NAS in parts. */
export function copyHandler(folder: string, nas: DemoNas, pauseMs: number): Handler<DemoPayload> {
  return async ({ payload: { name, nasGoesAway } }, { progress, signal }) => {
    await mustBeThere(nas);
    const bytes = await readFile(join(folder, name));
    for (let part = 1; part <= PARTS; part++) {
      await wait(pauseMs, undefined, { signal });
      await writeFile(join(nas.folder, name), bytes.subarray(0, Math.ceil((bytes.length * part) / PARTS)));
      progress({ done: part, total: PARTS });
    }
    if (nasGoesAway) await nas.takeAway();
  };
}

async function mustBeThere(nas: DemoNas): Promise<void> {
  await access(nas.folder).catch((cause) => {
    throw Object.assign(new Error(`The NAS does not answer: ${nas.folder} is not mounted`, { cause }), {
      code: "NAS_AWAY",
    });
  });
}

export function describeCopy(job: Job): JobDescription {
  const { name } = job.payload as DemoPayload;
  return { aggregateType: "FILE", aggregateId: name, eventType: job.name, data: job.payload };
}

const AWAY = { en: "The NAS does not answer.", ko: "NAS가 응답하지 않습니다." };

export function nasRehearsal(nas: DemoNas): RehearsalQuestions {
  return { destination: async ({ language }) => ((await nas.isAway()) ? AWAY[language] : null) };
}

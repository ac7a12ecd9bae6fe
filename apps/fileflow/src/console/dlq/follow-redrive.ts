import { fileflow, type Redrive } from "../api.ts";

const LOOK_EVERY_MS = 500;

/** Polls a redrive until it has ended; `onProgress` receives each answer. */
export async function followRedrive(started: Redrive, onProgress: (redrive: Redrive) => void): Promise<void> {
  let { state } = started;
  while (state === "RUNNING") {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const redrive = await fileflow().dlq.redriveProgress({ id: started.redriveId });
    onProgress(redrive);
    state = redrive.state;
  }
}

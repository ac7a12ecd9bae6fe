import { randomBytes } from "node:crypto";
import { access, rename } from "node:fs/promises";

/**
 * What `andon demo` and the demo of the console share: the files, the rules of their queue, and a NAS that becomes
 * unavailable.
 */
export interface SampleFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const KB = 1024;
const file = (name: string, size: number): SampleFile => ({ name, bytes: randomBytes(size) });

/**
 * The files of the demo, with new random bytes each time, so that the files on the NAS can only come from this run. The
 * NAS becomes unavailable between the two lists.
 */
export function sampleFiles(): { first: readonly SampleFile[]; later: readonly SampleFile[] } {
  return {
    first: [file("계약서.pdf", 180 * KB), file("report.docx", 64 * KB), file("사진 01.jpg", 320 * KB)],
    later: [file("invoice.csv", 12 * KB), file("도면.dwg", 540 * KB), file("minutes.md", 3 * KB)],
  };
}

export const DEMO_ATTEMPTS = 3;

/** One job at a time, and a stop after seconds, not minutes. The third attempt waits twice as long as the second. */
export function demoRules(firstWaitMs: number) {
  return {
    mode: "serial",
    attempts: DEMO_ATTEMPTS,
    backoff: { type: "exponential", delay: firstWaitMs, jitter: 0 },
  } as const;
}

/** A folder that represents a NAS: renamed, it looks like a share that is not mounted. */
export class DemoNas {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get #awayFolder(): string {
    return `${this.folder}-unplugged`;
  }

  async isAway(): Promise<boolean> {
    return access(this.#awayFolder).then(
      () => true,
      () => false,
    );
  }

  takeAway(): Promise<void> {
    return rename(this.folder, this.#awayFolder);
  }

  bringBack(): Promise<void> {
    return rename(this.#awayFolder, this.folder);
  }
}

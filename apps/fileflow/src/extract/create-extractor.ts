import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { extractFailure } from "./extract-failure.ts";
import { ExtractProcess } from "./extract-process.ts";
import type { ToProcess } from "./messages.ts";
import { ExtractError, type Extractor, type ExtractRequest, type ExtractResult } from "./port.ts";
import { Semaphore } from "./semaphore.ts";

/** A process that is idle for this long is ended: after OCR a process keeps about 250 MB. */
const IDLE_MS = 60_000;

const ABOUT_PROCESS = ["EXTRACT_MEMORY", "EXTRACT_CRASHED"];

/** Extracts in at most `processes` processes. A process starts when a request needs it, and is kept for the next requests. */
export function createExtractor(options: { processes: number }): Extractor {
  if (!Number.isInteger(options.processes) || options.processes < 1)
    throw new RangeError("processes must be a positive integer");
  return new ExtractorPool(options.processes);
}

class ExtractorPool implements Extractor {
  readonly #processes: number;
  readonly #semaphore: Semaphore;
  readonly #alive = new Set<ExtractProcess>();
  readonly #idle = new Map<ExtractProcess, NodeJS.Timeout>();
  #isClosed = false;

  constructor(processes: number) {
    this.#processes = processes;
    this.#semaphore = new Semaphore(processes);
  }

  async run(request: ExtractRequest, signal: AbortSignal): Promise<ExtractResult> {
    if (this.#isClosed) throw closed();
    await this.#semaphore.acquire(signal);
    try {
      const workFolder = await mkdtemp(join(request.outputFolder, ".extract-")).catch((error) => {
        throw extractFailure("EXTRACT_IO", `the output folder cannot be written: ${error.code}`);
      });
      try {
        return await this.#runInPlace({ request, workFolder }, signal);
      } finally {
        await rm(workFolder, { recursive: true, force: true });
      }
    } finally {
      this.#semaphore.release();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#semaphore.rejectAll(closed());
    await Promise.all([...this.#alive].map((process) => process.end(closed())));
  }

  async #runInPlace(order: ToProcess, signal: AbortSignal): Promise<ExtractResult> {
    const used = await this.#take(order.request);
    const wasFresh = used.isFresh;
    try {
      return await this.#runOn(used, order, signal);
    } catch (error) {
      // Earlier files may have filled or damaged the process, or it died while idle. A fresh process shows whether this file
      // is the cause.
      const isAboutProcess = error instanceof ExtractError && ABOUT_PROCESS.includes(error.code);
      if (!isAboutProcess || wasFresh) throw error;
    }
    return await this.#runOn(await this.#start(order.request.limits.memoryMb), order, signal);
  }

  async #runOn(process: ExtractProcess, order: ToProcess, signal: AbortSignal): Promise<ExtractResult> {
    try {
      return await process.run(order, signal);
    } finally {
      if (process.isUsable && !this.#isClosed) this.#keep(process);
      // The place becomes free only after the process has ended, so there are never more processes than places.
      else await process.end(closed());
    }
  }

  async #take({ task, limits }: ExtractRequest): Promise<ExtractProcess> {
    // Last in, first out, so that little work stays on few processes.
    const fitting = [...this.#idle.keys()]
      .reverse()
      .filter(({ isUsable, memoryMb }) => isUsable && memoryMb === limits.memoryMb);
    const found = fitting.find((process) => process.isWarmFor(task)) ?? fitting[0];
    if (!found) return await this.#start(limits.memoryMb);
    clearTimeout(this.#idle.get(found));
    this.#idle.delete(found);
    return found;
  }

  async #start(memoryMb: number): Promise<ExtractProcess> {
    // Ends the idle process that was started first, to make room: it has another memory limit.
    const [oldest] = this.#idle.keys();
    if (this.#alive.size >= this.#processes && oldest) await oldest.end(closed());
    if (this.#isClosed) throw closed();
    const process = new ExtractProcess(memoryMb);
    this.#alive.add(process);
    void process.gone.then(() => {
      this.#alive.delete(process);
      clearTimeout(this.#idle.get(process));
      this.#idle.delete(process);
    });
    return process;
  }

  #keep(process: ExtractProcess): void {
    const timer = setTimeout(() => void process.end(closed()), IDLE_MS).unref();
    this.#idle.set(process, timer);
  }
}

const closed = () => extractFailure("EXTRACT_CLOSED", "the extractor is closed");

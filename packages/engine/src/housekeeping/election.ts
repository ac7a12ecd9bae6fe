import { createHash } from "node:crypto";
import type { Post, Store } from "../ports/store.ts";
import { SilentFor } from "./silent-for.ts";

/** After this many looks without a beat any process may take the post: about 3 s by default. */
const LOOKS_OF_SILENCE = 3;

/**
 * Elects the housekeeper: of all processes that define the same queues, the one whose worker is named in the post's
 * row. The holder writes beats there while it is active. The others consider it dead when its beat has stopped
 * changing, by their own monotonic clock, and only while there is work: in an idle fleet nobody beats. Two holders at
 * once, such as a process that was paused and its successor, do no harm, since every duty takes its own locks or
 * fences; so no lock is held for the post.
 */
export class Election {
  readonly #store: Store;
  readonly #silence: SilentFor;
  #role = "";
  #term: number | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#silence = new SilentFor(store.clock);
  }

  get isHolder(): boolean {
    return this.#term !== undefined;
  }

  /** Applies the result of a look: keeps the post, loses it, or takes it if it is free or its holder is silent. */
  async vote(
    role: string,
    worker: string,
    post: Post | null,
    at: { readonly every: number; readonly isNeeded: boolean },
  ): Promise<void> {
    this.#role = role;
    const isOurs = post?.worker === worker && post.term === this.#term;
    if (!isOurs) this.#term = undefined;
    this.#silence.observe(new Map(post ? [[`${post.worker} ${post.term}`, post.beat]] : []), at.every);
    if (isOurs) return;
    const silentFor = post ? this.#silence.of(`${post.worker} ${post.term}`) : 0;
    const isFree = !post || (at.isNeeded && silentFor >= LOOKS_OF_SILENCE * at.every);
    if (!isFree) return;
    const term = post?.term ?? null;
    if (await this.#store.takePost(role, worker, term)) this.#term = (term ?? 0) + 1;
  }

  async beat(worker: string): Promise<void> {
    if (this.#term === undefined) return;
    if (!(await this.#store.beatPost(this.#role, worker, this.#term))) this.#term = undefined;
  }

  /** Frees the post, so that a successor need not wait. */
  async leave(worker: string): Promise<void> {
    if (this.#term === undefined) return;
    const term = this.#term;
    this.#term = undefined;
    await this.#store.leavePost(this.#role, worker, term);
  }
}

/**
 * Only a process that defines a queue can take its jobs back or purge it, so processes that define the same queues
 * share a housekeeper, and processes with other queues have another one.
 */
export function roleOf(queues: Iterable<string>): string {
  return createHash("sha256")
    .update([...queues].sort().join("\n"))
    .digest("hex")
    .slice(0, 16);
}

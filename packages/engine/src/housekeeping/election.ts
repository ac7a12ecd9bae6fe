import { createHash } from "node:crypto";
import type { Post, Store } from "../ports/store.ts";
import { SilentFor } from "./silent-for.ts";

/** After as many looks without a beat the post is anybody's: about 3 s by default. */
const LOOKS_OF_SILENCE = 3;

/**
 * Who is the housekeeper: of all processes that define the same queues the one whose worker stands in the post's row. It beats
 * there while it is active. The others judge it by a beat that stopped changing on their own monotonic clock, and only
 * while there is something to do: in an idle fleet nobody beats, and nobody minds. Two at once, such as one that was paused
 * and its successor, do no harm, since every duty is under locks or fences of its own; so no lock is held for the post.
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

  /** Goes by what a look found: keeps the post, loses it, or takes it where it is free or its holder is silent. */
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

  /** For whoever comes next, who need not wait then. */
  async leave(worker: string): Promise<void> {
    if (this.#term === undefined) return;
    const term = this.#term;
    this.#term = undefined;
    await this.#store.leavePost(this.#role, worker, term);
  }
}

/**
 * Only who defines a queue can take its jobs back or purge it: so those who define the same ones have a housekeeper together,
 * and processes of another kind have one of their own.
 */
export function roleOf(queues: Iterable<string>): string {
  return createHash("sha256")
    .update([...queues].sort().join("\n"))
    .digest("hex")
    .slice(0, 16);
}

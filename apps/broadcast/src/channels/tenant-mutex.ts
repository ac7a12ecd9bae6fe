/**
 * Runs the work of one tenant in the order of the calls, one at a time. All batches of a tenant take the same row lock. If
 * they waited for it in the database, each would hold a connection and the pool would run out.
 */
export class TenantMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(tenantId) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => {});
    this.#last.set(tenantId, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(tenantId) === ended) this.#last.delete(tenantId);
    }
  }
}

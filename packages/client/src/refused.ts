import type { Problem } from "@andon/contract";

/**
 * The server refused a call. `problem` gives the reason; it is undefined if the answer came from something else, such
 * as a proxy.
 */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }

  /** The code from the error catalogue, if the server gave one. */
  get code(): string | undefined {
    return this.problem?.error;
  }

  static async of(response: Response): Promise<RefusedError> {
    const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
    const problem = isProblem ? ((await response.json().catch(() => undefined)) as Problem) : undefined;
    return new RefusedError(response.status, problem);
  }
}

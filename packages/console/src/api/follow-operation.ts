import { api, type Operation } from "./client.ts";

/** The answer if the server continues the work as an operation. */
export interface Accepted {
  readonly operationId: string;
  readonly total: number;
  readonly done: number;
}

/** Returns the answer; if the work continues as an operation, waits for its end. */
export type Follow = <Answer extends { readonly message: string }>(
  answer: Answer | Accepted,
) => Promise<Answer | { readonly ended: Operation }>;

const LOOK_EVERY_MS = 500;

export function isAccepted(answer: object): answer is Accepted {
  return "operationId" in answer;
}

/** Polls an operation until it has ended, and calls `onProgress` with each answer. */
export async function followOperation(
  id: string,
  onProgress: (operation: Operation) => void,
): Promise<Operation> {
  for (;;) {
    const operation = await api().operations.show({ id });
    onProgress(operation);
    if (operation.state !== "RUNNING") return operation;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

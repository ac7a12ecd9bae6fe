/** The server died during the request, so the outcome is unknown. */
export class Unknown extends Error {
  override readonly name = "Unknown";
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the model looks into answers of every shape.
  readonly body: any;
}

/** Sends requests to a server that can die at any moment and come back at another address. */
export class SteadyClient {
  url = "";

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData;
    try {
      const response = await fetch(new URL(path, this.url), {
        method,
        headers: {
          authorization: "Bearer a-token-for-the-model-test-alone",
          ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    } catch (cause) {
      throw new Unknown(`${method} ${path}`, { cause });
    }
  }
}

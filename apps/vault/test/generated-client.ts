/** A client built only from the OpenAPI document, like one of a generator. */

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; required: boolean }[];
  readonly requestBody?: { content: Record<string, unknown> };
  readonly responses: Record<string, unknown>;
}
interface Document {
  readonly servers: readonly { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Given {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type Call = (given?: Given) => Promise<any>;

/** One call per operation id. A parameter that the document does not name cannot be sent. */
export function clientFrom(document: Document, origin: string, token: string): Record<string, Call> {
  const base = new URL(document.servers[0]?.url ?? "", origin);
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Call] => [
      operation.operationId,
      (given = {}) => send(new URL(base), path, method, operation, given, token),
    ]),
  );
  return Object.fromEntries(calls);
}

async function send(
  url: URL,
  path: string,
  method: string,
  operation: Operation,
  { parameters = {}, body }: Given,
  token: string,
) {
  const headers = new Headers({ authorization: `Bearer ${token}`, "accept-language": "en" });
  url.pathname = path;
  for (const [name, value] of Object.entries(parameters)) {
    const known = operation.parameters.find((parameter) => parameter.name === name);
    if (!known) throw new Error(`${operation.operationId} has no parameter ${name}`);
    if (known.in === "path")
      url.pathname = decodeURI(url.pathname).replace(`{${name}}`, encodeURIComponent(value));
    else if (known.in === "query") url.searchParams.set(name, value);
    else headers.set(name, value);
  }
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers,
    ...bodyOf(operation, body, headers),
  });
  const text = await response.text();
  if (!(String(response.status) in operation.responses))
    throw new Error(`${operation.operationId} answered ${response.status}, which the document does not have`);
  if (!response.ok) throw new Error(`${operation.operationId}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function bodyOf(operation: Operation, body: Given["body"], headers: Headers): { body?: FormData | string } {
  if (!body) return {};
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  if (type === "multipart/form-data") {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.set(name, value as Blob);
    return { body: form };
  }
  if (type !== "application/json") throw new Error(`${operation.operationId} takes no body`);
  headers.set("content-type", type);
  return { body: JSON.stringify(body) };
}

/**
 * Paths of routes: `:name` is a parameter, `::` a colon as it is, so that `/jobs/:id::cancel` is `/jobs/{id}:cancel` to callers.
 */
const PARTS = /::|:(\w+)/g;

/** The path with a value for every parameter, encoded. */
export function filledPath(path: string, valueFor: (name: string) => string): string {
  return path.replace(PARTS, (_, name?: string) =>
    name === undefined ? ":" : encodeURIComponent(valueFor(name)),
  );
}

/** As callers and OpenAPI write it. */
export function pathTemplate(path: string): string {
  return path.replace(PARTS, (_, name?: string) => (name === undefined ? ":" : `{${name}}`));
}

/** As Fastify writes it: a parameter before a colon ends there. */
export function routerPath(path: string): string {
  return path.replace(/:(\w+)::/g, ":$1(^[^:/]+)::");
}

/** The names of its parameters, in their order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(PARTS)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

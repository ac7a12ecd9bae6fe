// The runners of the tests run the built files: from source, each would load its own TypeScript, three times as much
// work.
import { register } from "node:module";

const hooks = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return { ...found, url: found.url.replace(/\\/src\\/(.*)\\.ts$/, "/dist/$1.js") };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

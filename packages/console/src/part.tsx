import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from "react";
import { Skeleton } from "./kit/empty.tsx";
import { Problem } from "./kit/problem.tsx";
import { isServerThere } from "./stale-build.ts";

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

const LOOK_AGAIN_MS = 2_000;

let isWaiting = false;
const readers = new Set<() => void>();

function wait(): void {
  isWaiting = true;
  for (const read of readers) read();
}

/**
 * A part of the console that is loaded when it is first shown. Both `lazy` and the browser keep for ever that a load
 * failed; so where the server was away, the page is loaded anew as soon as it answers. That needs an outage each time, and so
 * ends. A part that the server itself does not have fails (`stale-build.ts`).
 */
export function part<P>(load: Load<P>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().catch(async (error: unknown) => {
      if (await isServerThere()) throw error;
      wait();
      await untilServerIsThere();
      location.reload();
      return new Promise<never>(() => undefined);
    }),
  );
}

/** And until nobody is deciding: what they typed would go with the page. */
async function untilServerIsThere(): Promise<void> {
  while (!(await isServerThere()) || document.querySelector("dialog[open]")) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Holds a page's place until its part has come, and says why where the server is away. */
export function PartOnItsWay() {
  const isAway = useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => isWaiting,
  );
  return isAway ? <Problem error={undefined} /> : <Skeleton rows={6} />;
}

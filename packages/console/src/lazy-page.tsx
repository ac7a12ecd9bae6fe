import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from "react";
import { isWorthKeeping } from "./block-reload.ts";
import { useWords } from "./i18n/words.ts";
import { isServerThere } from "./stale-build.ts";
import { Button } from "./ui/button.tsx";
import { Skeleton } from "./ui/empty.tsx";
import { Problem } from "./ui/problem.tsx";

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

const LOOK_AGAIN_MS = 2_000;

/** What has come already, by what loads it. */
const loaded = new WeakMap<Load<never>, { default: ComponentType<never> }>();

/** Loads a part before it is shown. */
export async function loadPart<P>(load: Load<P>): Promise<{ default: ComponentType<P> }> {
  const part = await load();
  loaded.set(load as Load<never>, part as { default: ComponentType<never> });
  return part;
}

/** Shown in the same turn: after a placeholder, however short, React holds back what follows it for 300 ms. */
function atOnce<T>(value: T): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: a promise calls back in a later turn, and until then React shows the placeholder.
  return { then: (resolve: (value: T) => void) => resolve(value) } as unknown as Promise<T>;
}

/** What a part that failed to load waits for: the server, or whoever still needs something of this page. */
let waitsFor: "nothing" | "server" | "reader" = "nothing";
const readers = new Set<() => void>();

function waitFor(next: typeof waitsFor): void {
  waitsFor = next;
  for (const read of readers) read();
}

/**
 * A part of the console that is loaded when it is first shown. Both `lazy` and the browser keep for ever that a load
 * failed; so where the server was away, the page is loaded anew as soon as it answers. That needs an outage each time, and so
 * ends. A part that the server itself does not have fails (`stale-build.ts`).
 */
export function part<P>(load: Load<P>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => {
    const here = loaded.get(load as Load<never>);
    if (here) return atOnce(here as { default: ComponentType<P> });
    return loadPart(load).catch(async (error: unknown) => {
      if (await isServerThere()) throw error;
      await untilItCanBeLoaded();
      location.reload();
      return new Promise<never>(() => undefined);
    });
  });
}

/** Until the server is there and nobody is deciding or has uploads left: what they typed, or the list, would go with the page. */
async function untilItCanBeLoaded(): Promise<void> {
  waitFor("server");
  for (;;) {
    const isThere = await isServerThere();
    if (isThere && !isWorthKeeping() && !document.querySelector("dialog[open]")) return;
    waitFor(isThere && isWorthKeeping() ? "reader" : "server");
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Holds a page's place until its part has come, and says why where it does not come by itself. */
export function PartOnItsWay() {
  const waiting = useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => waitsFor,
  );
  if (waiting === "nothing") return <Skeleton rows={6} />;
  return waiting === "server" ? <Problem error={undefined} /> : <LoadAnew />;
}

function LoadAnew() {
  const { problem } = useWords();
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-md bg-warn-wash px-3 py-2.5 text-warn-ink"
    >
      <p className="font-medium">{problem.loadAnewFor}</p>
      <p>{problem.loadAnewHint}</p>
      <Button onClick={() => location.reload()}>{problem.loadAnew}</Button>
    </div>
  );
}

import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from "react";
import { isReloadBlocked } from "./block-reload.ts";
import { useWords } from "./i18n/words.ts";
import { isServerThere } from "./stale-build.ts";
import { Button } from "./ui/button.tsx";
import { Skeleton } from "./ui/empty.tsx";
import { Problem } from "./ui/problem.tsx";

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

const LOOK_AGAIN_MS = 2_000;

/** The loaded parts, by their load function. */
const loaded = new WeakMap<Load<never>, { default: ComponentType<never> }>();

/** Loads a part before it is shown. */
export async function loadPart<P>(load: Load<P>): Promise<{ default: ComponentType<P> }> {
  const part = await load();
  loaded.set(load as Load<never>, part as { default: ComponentType<never> });
  return part;
}

/** Resolves in the same turn. After a placeholder, however short, React delays the next content for 300 ms. */
function atOnce<T>(value: T): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: a promise calls back in a later turn, and until then React shows the placeholder.
  return { then: (resolve: (value: T) => void) => resolve(value) } as unknown as Promise<T>;
}

/** What a part that failed to load waits for: the server, or a reader with unsaved state on this page. */
let waitsFor: "nothing" | "server" | "reader" = "nothing";
const readers = new Set<() => void>();

function waitFor(next: typeof waitsFor): void {
  waitsFor = next;
  for (const read of readers) read();
}

/**
 * A part of the console that is loaded on first use. Both `lazy` and the browser remember a failed load forever, so after an
 * outage the page is reloaded as soon as the server answers. Each reload needs an outage, so this cannot loop. A part that
 * the server does not have fails (`stale-build.ts`).
 */
export function lazyPart<P>(load: Load<P>): LazyExoticComponent<ComponentType<P>> {
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

/** Waits until the server answers, no dialog is open and nothing blocks the reload: a reload would lose typed text or uploads. */
async function untilItCanBeLoaded(): Promise<void> {
  waitFor("server");
  for (;;) {
    const isThere = await isServerThere();
    if (isThere && !isReloadBlocked() && !document.querySelector("dialog[open]")) return;
    waitFor(isThere && isReloadBlocked() ? "reader" : "server");
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** The placeholder of a part that loads. It explains why a load needs the server or a reload by the reader. */
export function PartPlaceholder() {
  const waiting = useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => waitsFor,
  );
  if (waiting === "nothing") return <Skeleton rows={6} />;
  return waiting === "server" ? <Problem error={undefined} /> : <ReloadNotice />;
}

function ReloadNotice() {
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

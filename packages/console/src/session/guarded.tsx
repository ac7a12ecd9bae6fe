import { Lock } from "lucide-react";
import { type ComponentType, type ReactNode, Suspense } from "react";
import { useWords } from "../i18n/words.ts";
import { PartPlaceholder } from "../lazy-page.tsx";
import type { KnownRoom } from "../rooms.ts";
import { FirstRoom } from "../shell/first-room.tsx";
import { NotFound } from "../shell/not-found.tsx";
import { Empty } from "../ui/empty.tsx";
import { isAllowed, runs, useMe } from "./session.ts";

/** A page for readers who may see it, if the server runs its app. Everybody starts at the board, so it forwards other readers. */
export function guarded(room: KnownRoom, Page: ComponentType): () => ReactNode {
  return function Guarded() {
    const { shell } = useWords();
    const me = useMe();
    if (!runs(me, room)) return <NotFound />;
    if (!isAllowed(me, room)) {
      return room.path === "/" ? <FirstRoom /> : <Empty title={shell.noPermission} icon={Lock} />;
    }
    return (
      <Suspense fallback={<PartPlaceholder />}>
        <Page />
      </Suspense>
    );
  };
}

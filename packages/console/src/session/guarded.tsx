import { Lock } from "lucide-react";
import { type ComponentType, type ReactNode, Suspense } from "react";
import { Empty } from "../kit/empty.tsx";
import { PartOnItsWay } from "../part.tsx";
import type { Room } from "../rooms.ts";
import { FirstRoom } from "../shell/first-room.tsx";
import { useWords } from "../words/words.ts";
import { useAllowed } from "./session.ts";

/** A page, for those who may see it. It may still be on its way. The board is where everybody arrives, so it leads on. */
export function guarded(room: Room, Page: ComponentType): () => ReactNode {
  return function Guarded() {
    const { shell } = useWords();
    if (!useAllowed(room)) {
      return room.path === "/" ? <FirstRoom /> : <Empty title={shell.noPermission} icon={Lock} />;
    }
    return (
      <Suspense fallback={<PartOnItsWay />}>
        <Page />
      </Suspense>
    );
  };
}

import { Lock } from "lucide-react";
import { type ComponentType, type ReactNode, Suspense } from "react";
import { Empty } from "../kit/empty.tsx";
import { PartOnItsWay } from "../part.tsx";
import { useWords } from "../words/words.ts";
import { type Needed, useAllowed } from "./session.ts";

/** A page, for those who may see it. It may still be on its way. */
export function guarded(needed: Needed, Page: ComponentType): () => ReactNode {
  return function Guarded() {
    const { shell } = useWords();
    if (!useAllowed(needed)) return <Empty title={shell.noPermission} icon={Lock} />;
    return (
      <Suspense fallback={<PartOnItsWay />}>
        <Page />
      </Suspense>
    );
  };
}

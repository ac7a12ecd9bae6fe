import { Suspense } from "react";
import { lazyPart } from "../lazy-page.tsx";

const CronText = lazyPart(() => import("./cron-text.tsx"));

/** A cron expression in words. They are loaded after the page, which also shows the expression itself. */
export function CronWords({ cron }: { cron: string }) {
  return (
    <Suspense fallback={<span className="invisible">{cron}</span>}>
      <CronText cron={cron} />
    </Suspense>
  );
}

import { Time } from "@andon/console/room";
import { useFileflowWords } from "../i18n/words.ts";
import { ZonedTime } from "./zoned-time.tsx";

/** Due times in the schedule's time zone, and their distance from now. */
export function NextRuns({ timeZone, nextRuns }: { timeZone: string; nextRuns: readonly string[] }) {
  const { schedules: say } = useFileflowWords();
  if (nextRuns.length === 0) return <p>{say.noNext}</p>;
  return (
    <section aria-label={say.nextFive}>
      <h3 className="text-xs font-semibold text-faint">
        {say.nextFive} ({say.inZone(timeZone)})
      </h3>
      <ol className="list-decimal pl-5">
        {nextRuns.map((at) => (
          <li key={at} data-next-run={at}>
            <ZonedTime at={at} zone={timeZone} />{" "}
            <span className="text-xs text-faint">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

import {
  LAMP_WASH,
  Lamp,
  type LampKind,
  Link,
  lampOf,
  type QueueOverview,
  queries,
  queuePath,
  useAllowed,
  useLiveQuery,
} from "@andon/console/room";
import { SYNC_QUEUE } from "./api.ts";
import { useVaultWords } from "./i18n/words.ts";

/** The queue to the NAS; undefined while it is loading, and for a reader without permission. */
function useNasQueue(): QueueOverview | undefined {
  const maySee = useAllowed({ permission: "queue.read" });
  return useLiveQuery({ ...queries.queue(SYNC_QUEUE), enabled: maySee }).data;
}

/** The state of the queue to the NAS. */
export function useNasLine(): LampKind | undefined {
  const queue = useNasQueue();
  return queue && lampOf(queue);
}

/** Why the queue to the NAS does not run normally, and how many operations wait. Renders nothing while it runs. */
export function NasLine() {
  const { line: say } = useVaultWords();
  const queue = useNasQueue();
  if (!queue) return null;
  const kind = lampOf(queue);
  if (kind === "running") return null;
  return (
    <div
      role="status"
      data-nas-line={kind}
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2.5 ${LAMP_WASH[kind]}`}
    >
      <Lamp kind={kind} size="small" />
      <p className="min-w-0 flex-1 basis-64">
        <strong className="font-semibold">
          {say[kind]} {say.waits(queue.waiting + queue.delayed)}
        </strong>{" "}
        {say.kept}
      </p>
      <Link to={queuePath(SYNC_QUEUE)} className="font-medium text-ink underline underline-offset-2">
        {say.look}
      </Link>
    </div>
  );
}

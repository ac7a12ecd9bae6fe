import { Link, useLiveQuery } from "@andon/console/room";
import { Hand } from "lucide-react";
import { HELD } from "../addresses.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";

/** The number of files that wait for a decision. Renders nothing if there are none. */
export default function HeldCount() {
  const { queuePage: say } = useVaultWords();
  const { data } = useLiveQuery(vaultQueries.held(1));
  if (!data || data.total === 0) return null;
  return (
    <p
      data-held-count
      className="flex flex-wrap items-center gap-x-2 rounded-lg bg-warn-wash px-4 py-2.5 text-warn-ink"
    >
      <Hand size={16} aria-hidden="true" />
      <span>{say.held(data.total)}</span>
      <Link to={HELD} className="font-medium text-ink underline underline-offset-2">
        {say.toHeld}
      </Link>
    </p>
  );
}

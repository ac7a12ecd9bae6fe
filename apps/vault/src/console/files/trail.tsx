import { Link, useQuery } from "@andon/console/room";
import { ChevronRight } from "lucide-react";
import { folderAddress } from "../addresses.ts";
import { ROOT } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";

interface TrailProps {
  readonly folderId: string;
  /** For a file: the folder itself is on the way too. */
  readonly isWhole?: boolean;
}

/** The way from the root to a folder. */
export function Trail({ folderId, isWhole = false }: TrailProps) {
  const { files: say } = useVaultWords();
  const { data = [] } = useQuery(vaultQueries.trail(folderId));
  const steps = isWhole ? data : data.slice(0, -1);
  if (steps.length === 0) return null;
  return (
    <nav aria-label={say.path}>
      <ol className="flex flex-wrap items-center gap-x-1 text-sm">
        {steps.map(({ id, name }) => (
          <li key={id} className="flex min-w-0 items-center gap-1">
            <Link to={folderAddress(id)}>
              <span className="wrap-anywhere">{id === ROOT ? say.root : name}</span>
            </Link>
            <ChevronRight size={14} aria-hidden="true" className="shrink-0 text-faint" />
          </li>
        ))}
      </ol>
    </nav>
  );
}

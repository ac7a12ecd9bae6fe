import { Link, useQuery } from "@andon/console/room";
import { ChevronRight } from "lucide-react";
import { folderAddress } from "../addresses.ts";
import { ROOT } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";

interface TrailProps {
  readonly folderId: string;
  /** For the page of a file: includes the folder itself. */
  readonly isWhole?: boolean;
}

/** The folders from the root to a folder, as links. */
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

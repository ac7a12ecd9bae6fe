import { Link, ProgressBar, useLiveQuery } from "@andon/console/room";
import { X } from "lucide-react";
import { HELD } from "../addresses.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";
import { type Followed, forgetOperation, useFollowed } from "./folder-operations.ts";

/** The progress on the NAS of folders that were renamed or moved here. */
export function OperationStrips() {
  const followed = useFollowed();
  return followed.map((each) => <OperationStrip key={each.id} {...each} />);
}

const WASH = { RUNNING: "bg-hand-wash", DONE: "bg-run-wash", HELD: "bg-stop-wash" };

function OperationStrip({ id, name }: Followed) {
  const { folderOperation: say } = useVaultWords();
  const { data } = useLiveQuery(vaultQueries.operation(id));
  if (!data) return null;
  const { kind, state, done, total, failed } = data;
  return (
    <div
      role="status"
      data-folder-operation={state}
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 ${WASH[state]}`}
    >
      <p className="min-w-0 flex-1 basis-64">
        <strong className="font-semibold wrap-anywhere">
          {say.of[kind]}: {name}
        </strong>{" "}
        {say.state[state]} · {say.progress(done, total)}
        {failed > 0 && (
          <>
            {" "}
            · <Link to={HELD}>{say.failed(failed)}</Link>
          </>
        )}
      </p>
      <div className="w-40">
        <ProgressBar label={say.of[kind]} max={total} value={done} />
      </div>
      <button
        type="button"
        aria-label={say.dismiss}
        title={say.dismiss}
        onClick={() => forgetOperation(id)}
        className="rounded p-1 text-soft hover:text-ink"
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

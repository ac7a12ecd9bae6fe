import { Empty, Link } from "@andon/console/room";
import { TRASH } from "../addresses.ts";
import { useVaultWords } from "../i18n/words.ts";

/** Links to the trash, because the missing file may have been deleted. */
export function NothingFound() {
  const { files: say } = useVaultWords();
  return (
    <Empty title={say.noneFound} hint={say.noneFoundHint}>
      <Link to={TRASH}>{say.toTrash}</Link>
    </Empty>
  );
}

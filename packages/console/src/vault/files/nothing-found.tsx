import { Empty } from "../../kit/empty.tsx";
import { Link } from "../../kit/link.tsx";
import { TRASH } from "../addresses.ts";
import { useVaultWords } from "../words/words.ts";

/** What is missed may have been deleted. */
export function NothingFound() {
  const { files: say } = useVaultWords();
  return (
    <Empty title={say.noneFound} hint={say.noneFoundHint}>
      <Link to={TRASH}>{say.toTrash}</Link>
    </Empty>
  );
}

import { SearchX } from "lucide-react";
import { Empty } from "../kit/empty.tsx";
import { Link } from "../kit/link.tsx";
import { useWords } from "../words/words.ts";

export function NotFound() {
  const { shell } = useWords();
  return (
    <Empty title={shell.notFound} hint={shell.notFoundHint} icon={SearchX}>
      <Link to="/">{shell.toBoard}</Link>
    </Empty>
  );
}

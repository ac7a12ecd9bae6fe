import { SearchX } from "lucide-react";
import { useWords } from "../i18n/words.ts";
import { Empty } from "../ui/empty.tsx";
import { Link } from "../ui/link.tsx";

export function NotFound() {
  const { shell } = useWords();
  return (
    <Empty title={shell.notFound} hint={shell.notFoundHint} icon={SearchX}>
      <Link to="/">{shell.toBoard}</Link>
    </Empty>
  );
}

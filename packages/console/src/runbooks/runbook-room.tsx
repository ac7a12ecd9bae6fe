import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useLanguage } from "../i18n/language.ts";
import { NotFound } from "../shell/not-found.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Blocks } from "./blocks.tsx";
import { blocksOf } from "./markdown.ts";
import { runbook } from "./pages.ts";

/** A runbook of the documentation: what to do about a failure. */
export default function RunbookRoom() {
  const { name = "" } = useParams({ strict: false }) as { name?: string };
  const language = useLanguage();
  const load = runbook(language, name);
  const query = useQuery({
    queryKey: ["runbook", language, name],
    queryFn: async () => blocksOf((await load?.()) ?? ""),
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!load) return <NotFound />;
  return (
    <Loaded query={query} rows={8}>
      {([title, ...blocks]) => (
        <>
          <PageHead title={title?.kind === "heading" ? title.text : name} />
          <article className="flex max-w-4xl flex-col gap-3 rounded-lg border border-line bg-panel px-4 py-4 shadow-panel sm:px-6">
            <Blocks blocks={blocks} />
          </article>
        </>
      )}
    </Loaded>
  );
}

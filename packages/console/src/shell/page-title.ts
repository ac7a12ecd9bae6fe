import { useQuery } from "@tanstack/react-query";
import { useMatches, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { queries } from "../api/queries.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { ROOMS } from "../rooms.ts";
import { useOpenAlerts } from "./open-alerts.ts";

/** Sets the title of the browser tab: the number of open alerts, then the page, so that tabs can be distinguished. */
export function usePageTitle(): void {
  const { product } = useWords();
  const page = usePageName();
  const open = useOpenAlerts();
  const name = page === undefined ? product : `${page} · ${product}`;
  const title = open > 0 ? `(${open}) ${name}` : name;
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = product;
    };
  }, [title, product]);
}

function usePageName(): string | undefined {
  const language = useLanguage();
  const path = useMatches().at(-1)?.fullPath;
  const { queue, id } = useParams({ strict: false }) as { queue?: string; id?: string };
  const isJob = path === "/jobs/$id";
  // The page itself loads its job; this only reads the ticket.
  const { data: job } = useQuery({ ...queries.job(id ?? ""), enabled: false });
  if (path === "/queues/$queue") return queue;
  const label = ROOMS.find((room) => room.path === path)?.label[language];
  return isJob && job ? `${label} #${job.ticket}` : label;
}

import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** j and k stop here. */
  readonly row?: boolean;
  readonly label?: string;
  /** Leads to what is shown now. Set where several links choose among views of one page. */
  readonly isCurrent?: boolean;
  readonly onFollow?: () => void;
}

export const LINK = "text-accent underline decoration-1 underline-offset-2 hover:decoration-2";
/** Where every row begins with a link, its colour says so. */
const ROW_LINK = "text-accent decoration-1 underline-offset-2 hover:underline";

/** A link to a page of the console, address and search in one. */
export function Link({ to, children, className, row = false, label, isCurrent, onFollow }: LinkProps) {
  const { pathname, search } = new URL(to, location.origin);
  return (
    <RouterLink
      to={pathname}
      search={Object.fromEntries(new URLSearchParams(search)) as never}
      className={className ?? (row ? ROW_LINK : LINK)}
      {...(row ? { "data-row-link": "" } : {})}
      {...(label ? { "aria-label": label } : {})}
      // Else a link with fewer filters would count as the present page too.
      {...(isCurrent === undefined ? {} : { activeOptions: { exact: true, includeSearch: true } })}
      {...(isCurrent ? { "aria-current": "true" as const, "data-current": "" } : {})}
      {...(onFollow ? { onClick: onFollow } : {})}
    >
      {children}
    </RouterLink>
  );
}

export const queuePath = (queue: string) => `/queues/${encodeURIComponent(queue)}`;
export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;

/** The list of jobs with these filters; those without a value are left out. */
export function jobsPath(filters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? "/jobs" : `/jobs?${new URLSearchParams(given)}`;
}

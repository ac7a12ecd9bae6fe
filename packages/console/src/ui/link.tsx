import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** j and k stop here. */
  readonly row?: boolean;
  readonly label?: string;
}

/** A link to a page of the console, address and search in one. */
export function Link({ to, children, className, row = false, label }: LinkProps) {
  const { pathname, search } = new URL(to, location.origin);
  return (
    <RouterLink
      to={pathname}
      search={Object.fromEntries(new URLSearchParams(search)) as never}
      className={className ?? "text-accent underline decoration-1 underline-offset-2 hover:decoration-2"}
      {...(row ? { "data-row-link": "" } : {})}
      {...(label ? { "aria-label": label } : {})}
    >
      {children}
    </RouterLink>
  );
}

export const queuePath = (queue: string) => `/queues/${encodeURIComponent(queue)}`;
export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;

/** The list of jobs with these filters. */
export function jobsPath(filters: Readonly<Record<string, string>>): string {
  return `/jobs?${new URLSearchParams(filters)}`;
}

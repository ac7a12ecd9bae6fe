import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useRef } from "react";

interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** The keys j and k move to this link. */
  readonly row?: boolean;
  readonly label?: string;
  /** True if the target is the current page or view. */
  readonly isCurrent?: boolean;
  readonly title?: string;
  readonly onFollow?: () => void;
}

/** The hover time before a prefetch, so that a passing pointer causes no request. */
const INTENT_MS = 80;

export const LINK = "text-accent underline decoration-1 underline-offset-2 hover:decoration-2";
/** In a list whose rows begin with a link, the colour alone marks the link. */
const ROW_LINK = "text-accent decoration-1 underline-offset-2 hover:underline";

/**
 * A link to a page of the console, with path and search in one text. The router's own link resolves the target of every link
 * whenever the address changes; this one resolves it only on hover or click.
 */
export function Link({ to, children, className, row = false, label, isCurrent, title, onFollow }: LinkProps) {
  const router = useRouter();
  const target = () => {
    const { pathname, search } = new URL(to, location.origin);
    return { to: pathname, search: Object.fromEntries(new URLSearchParams(search)) as never };
  };
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined);
  const prepare = () => {
    clearTimeout(intent.current);
    intent.current = setTimeout(() => void router.preloadRoute(target()), INTENT_MS);
  };
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    clearTimeout(intent.current);
    onFollow?.();
    void router.navigate(target());
  };
  return (
    <a
      href={to}
      onClick={follow}
      onPointerEnter={prepare}
      onPointerLeave={() => clearTimeout(intent.current)}
      className={className ?? (row ? ROW_LINK : LINK)}
      {...(row ? { "data-row-link": "" } : {})}
      {...(label ? { "aria-label": label } : {})}
      {...(title ? { title } : {})}
      {...(isCurrent ? { "aria-current": "page" as const, "data-current": "" } : {})}
    >
      {children}
    </a>
  );
}

export const queuePath = (queue: string) => `/queues/${encodeURIComponent(queue)}`;
export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;

/** The address of the list of jobs with these filters. Filters without a value are left out. */
export function jobsPath(filters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? "/jobs" : `/jobs?${new URLSearchParams(given)}`;
}

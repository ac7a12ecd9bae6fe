import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isUnanswered } from "../api/unanswered.ts";
import { useWords } from "../i18n/words.ts";
import { Skeleton } from "./empty.tsx";
import { Problem } from "./problem.tsx";

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/**
 * The loaded data, also if a refetch fails; before the first data, a skeleton or the error. An unreachable server is reported
 * once for the whole page; a refusal of a refetch is reported here.
 */
export function Loaded<T>({ query, rows, children }: LoadedProps<T>) {
  const { common } = useWords();
  if (query.data !== undefined) {
    return (
      <>
        {query.error && !isUnanswered(query.error) && <Problem error={query.error} />}
        {children(query.data)}
      </>
    );
  }
  if (query.error) {
    return (
      <div className="p-3">
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  return (
    <div role="status">
      <span className="sr-only">{common.loading}</span>
      <Skeleton {...(rows ? { rows } : {})} />
    </div>
  );
}

import { RefusedError } from "@andon/client";
import { useState } from "react";
import { api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { notify } from "../ui/notice.ts";

/** Undoes a held-back decision. If it is too late, the refusal is shown instead of the result. */
export function useUndo(): { readonly undo: (id: string) => Promise<void>; readonly isPending: boolean } {
  const { undo: say, problem } = useWords();
  const [isPending, setPending] = useState(false);
  const undo = async (id: string) => {
    setPending(true);
    try {
      await api().decisions.undo({ id });
      notify(say.undone);
    } catch (error) {
      notify(error instanceof RefusedError && error.problem ? error.message : problem.unreachable);
    } finally {
      setPending(false);
      await queryClient.invalidateQueries();
    }
  };
  return { undo, isPending };
}

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { api, type Me } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { INPUT } from "../ui/field.tsx";
import { notify } from "../ui/notice.ts";
import { Problem } from "../ui/problem.tsx";
import { meQuery, useMe } from "./session.ts";

/** The last name in this browser is suggested; the person confirms it or types another. */
const LAST_NAME = "andon.name";

/** A form for the name of the person behind this login, which the audit log shows. */
export function NameForm({ onSaved, children }: { onSaved?: () => void; children?: ReactNode }) {
  const { login } = useWords();
  const me = useMe();
  const id = useId();
  const [name, setName] = useState(me.name ?? localStorage.getItem(LAST_NAME) ?? "");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    try {
      const named = await api().session.name({ name: name.trim() === "" ? null : name });
      if (named.name) localStorage.setItem(LAST_NAME, named.name);
      queryClient.setQueryData(
        meQuery.queryKey,
        (known: Me | null | undefined) => known && { ...known, ...named },
      );
      notify(login.named(named.actor));
      onSaved?.();
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="sr-only">
          {login.yourName}
        </label>
        <input
          id={id}
          autoComplete="name"
          maxLength={60}
          placeholder={login.yourName}
          className={`${INPUT} max-w-48`}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={isPending || name.trim() === (me.name ?? "")}>
          {login.saveName}
        </Button>
        {children}
      </div>
      {error !== undefined && <Problem error={error} of="question" />}
    </form>
  );
}

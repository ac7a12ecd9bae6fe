import { RefusedError } from "@andon/client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { LanguageSwitch } from "../shell/switches.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { codeLogin } from "./code-login.ts";
import { SessionEnded } from "./session-ended.tsx";

/** The login with a key. It reports an invalid code if a link led here. */
export function Login() {
  const { product, productLine, login } = useWords();
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const hasBadLink = useBadLink();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    try {
      await api().session.login({ token: key.trim() });
      await queryClient.resetQueries();
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };

  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 p-4">
      <header className="flex items-end justify-between">
        <div>
          <p className="text-2xl font-bold tracking-tight">{product}</p>
          <p className="text-soft">{productLine}</p>
        </div>
        <LanguageSwitch />
      </header>
      {hasBadLink && (
        <div role="alert" className="rounded-md bg-warn-wash px-3 py-2 text-warn-ink">
          <p className="font-medium">{login.linkFailed}</p>
          <p>
            {login.linkHint} <code className="font-mono">andon login-link</code>
          </p>
        </div>
      )}
      <SessionEnded />
      <form
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4 rounded-lg border border-line bg-panel p-4"
      >
        <h1 className="font-semibold">{login.title}</h1>
        <TextField
          label={login.byKey}
          hint={login.keyHint}
          type="password"
          ref={field}
          autoComplete="current-password"
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        {error !== undefined && <LoginProblem error={error} />}
        <Button tone="primary" type="submit" disabled={isPending || key.trim() === ""}>
          {login.submit}
        </Button>
      </form>
    </main>
  );
}

function LoginProblem({ error }: { error: unknown }) {
  const { login } = useWords();
  const isRefused = error instanceof RefusedError && error.code === "LOGIN_FAILED";
  if (!isRefused) return <Problem error={error} of="question" />;
  return (
    <p role="alert" className="rounded-md bg-stop-wash px-3 py-2 font-medium text-stop-ink">
      {login.failed} <span className="font-mono text-xs">LOGIN_FAILED</span>
    </p>
  );
}

function useBadLink(): boolean {
  const [isBad, setBad] = useState(false);
  useEffect(() => {
    codeLogin?.catch(() => setBad(true));
  }, []);
  return isBad;
}

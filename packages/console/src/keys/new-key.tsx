import { CORE_PERMISSIONS as PERMISSIONS, type Permission } from "@andon/contract";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";

/** Creates a key. Only this dialog ever shows the token, so it closes only after the person confirms to have saved it. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { apiKeys: say } = useWords();
  const [token, setToken] = useState<string>();
  const [isPending, setPending] = useState(false);
  return (
    <Dialog title={say.createTitle} onClose={onClose} wide isHeld={isPending || token !== undefined}>
      {token === undefined ? (
        <KeyForm onMade={setToken} isPending={isPending} setPending={setPending} onClose={onClose} />
      ) : (
        <Token token={token} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Token({ token, onClose }: { token: string; onClose: () => void }) {
  const { apiKeys: say } = useWords();
  return (
    <>
      <p role="status" className="rounded-md bg-warn-wash px-3 py-2 font-medium text-warn-ink">
        {say.once}
      </p>
      <p className="rounded-md border border-line bg-ground px-3 py-2 font-mono break-all" data-token>
        {token}
      </p>
      <div className="flex justify-end gap-2">
        <CopyButton text={token} />
        <Button tone="primary" onClick={onClose}>
          {say.saved}
        </Button>
      </div>
    </>
  );
}

interface KeyFormProps {
  readonly onMade: (token: string) => void;
  readonly isPending: boolean;
  readonly setPending: (isPending: boolean) => void;
  readonly onClose: () => void;
}

function KeyForm({ onMade, isPending, setPending, onClose }: KeyFormProps) {
  const { apiKeys: say, common } = useWords();
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const tenantId = String(form.get("tenantId") ?? "").trim();
    const expires = String(form.get("expiresAt") ?? "");
    setPending(true);
    setError(undefined);
    try {
      const { token } = await api().keys.create({
        name: String(form.get("name") ?? ""),
        permissions: form.getAll("permissions") as Permission[],
        ...(tenantId ? { tenantId } : {}),
        ...(expires ? { expiresAt: new Date(expires).toISOString() } : {}),
      });
      onMade(token);
      await queryClient.invalidateQueries({ queryKey: ["keys"] });
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField label={say.name} name="name" required maxLength={200} data-autofocus />
      <fieldset>
        <legend className="text-xs font-medium text-soft">{say.permissions}</legend>
        <div className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-1">
          {PERMISSIONS.map((permission) => (
            <label key={permission} className="flex items-center gap-2 font-mono text-xs">
              <input
                type="checkbox"
                name="permissions"
                value={permission}
                defaultChecked={permission === "queue.read"}
                className="size-4 accent-accent"
              />
              {permission}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label={say.tenant} hint={say.tenantHint} name="tenantId" maxLength={200} />
        <TextField label={say.expires} hint={say.expiresHint} name="expiresAt" type="datetime-local" />
      </div>
      {error !== undefined && <Problem error={error} of="decision" />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isPending} onClick={onClose}>
          {common.close}
        </Button>
        <Button tone="primary" type="submit" disabled={isPending}>
          {say.make}
        </Button>
      </div>
    </form>
  );
}

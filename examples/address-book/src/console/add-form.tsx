import { Button, notify, Problem, queryClient, TextField, useMutation, useWords } from "@andon/console/room";
import type { FormEvent } from "react";
import { addresses } from "./api.ts";
import { useAddressWords } from "./words.ts";

/** Adds an address. The form keeps its input if the server refuses it. */
export function AddForm() {
  const say = useAddressWords();
  const { common } = useWords();
  const add = useMutation({
    mutationFn: (address: { name: string; email: string }) => addresses().addresses.add(address),
    onSettled: () => void queryClient.invalidateQueries(),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const address = { name: String(given.get("name")), email: String(given.get("email")) };
    const added = await add.mutateAsync(address).catch(() => undefined);
    if (!added) return;
    notify(say.added(address.email));
    form.reset();
  };
  return (
    <>
      <form
        aria-label={say.add}
        onSubmit={(event) => void submit(event)}
        className="grid items-end gap-2 rounded-lg border border-line bg-panel p-3 sm:grid-cols-[1fr_1fr_auto]"
      >
        <TextField label={say.name} name="name" required maxLength={200} autoComplete="off" />
        <TextField label={say.email} name="email" type="email" required maxLength={200} autoComplete="off" />
        <Button type="submit" tone="primary" disabled={add.isPending}>
          {add.isPending ? common.pending : say.add}
        </Button>
      </form>
      {add.error && <Problem error={add.error} of="decision" />}
    </>
  );
}

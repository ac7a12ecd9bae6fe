import {
  Button,
  Dialog,
  Field,
  notify,
  Problem,
  queryClient,
  TextField,
  useMutation,
  useNavigate,
  useWords,
} from "@andon/console/room";
import type { FormEvent } from "react";
import { broadcast, jobAddress } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

/** A number from the form; undefined if the field is empty. */
function numberIn(form: FormData, name: string): number | undefined {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? undefined : Number(text);
}

/** Creates a bulk job. The dialog keeps its input if the server refuses it. */
export function NewJobDialog({ onClose }: { onClose: () => void }) {
  const say = useBroadcastWords();
  const { common } = useWords();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: (form: FormData) => broadcast().bulkJobs.create(jobIn(form)),
    onSettled: () => void queryClient.invalidateQueries(),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const made = await make.mutateAsync(new FormData(event.currentTarget)).catch(() => undefined);
    if (!made) return;
    notify(say.made);
    onClose();
    void navigate({ to: jobAddress(made.id) });
  };
  return (
    <Dialog title={say.make} onClose={onClose} isHeld={make.isPending}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextField
          label={say.category}
          hint={say.categoryHint}
          name="category"
          required
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <TextField label={say.title} name="title" required maxLength={500} autoComplete="off" />
        <Field label={say.body}>
          {(field) => <textarea {...field} name="body" rows={4} maxLength={10_000} />}
        </Field>
        <TextField
          label={say.scheduledAt}
          hint={say.scheduledHint}
          name="scheduledAt"
          type="datetime-local"
        />
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField
            label={say.chunkSize}
            name="chunkSize"
            type="number"
            min={1}
            max={10_000}
            placeholder="1000"
          />
          <TextField label={say.pauseMs} name="pauseMs" type="number" min={0} placeholder="0" />
          <TextField label={say.maxPerSecond} name="maxPerSecond" type="number" min={1} />
        </div>
        {make.error && <Problem error={make.error} of="decision" />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={make.isPending} onClick={onClose}>
            {common.close}
          </Button>
          <Button tone="primary" type="submit" disabled={make.isPending}>
            {make.isPending ? common.pending : say.make}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function jobIn(form: FormData) {
  const at = String(form.get("scheduledAt") ?? "");
  const [chunkSize, pauseMs, maxPerSecond] = ["chunkSize", "pauseMs", "maxPerSecond"].map((name) =>
    numberIn(form, name),
  );
  return {
    category: String(form.get("category")),
    title: String(form.get("title")),
    body: String(form.get("body") ?? ""),
    ...(at === "" ? {} : { scheduledAt: new Date(at).toISOString() }),
    ...(chunkSize === undefined ? {} : { chunkSize }),
    throttle: {
      ...(pauseMs === undefined ? {} : { pauseMs }),
      ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
    },
  };
}

import {
  Button,
  Dialog,
  Field,
  Problem,
  queryClient,
  TextField,
  useMutation,
  useQuery,
  useWords,
} from "@andon/console/room";
import type { FormEvent } from "react";
import { fileflow, type Schedule } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { NextRuns } from "./next-runs.tsx";

const MISSED = ["once", "all", "skip"] as const satisfies readonly Schedule["missed"][];
const OVERLAP = ["skip", "queue", "allow"] as const satisfies readonly Schedule["overlap"][];
const ZONES = "fileflow-time-zones";

/** Creates a schedule, then shows its next five runs. The dialog keeps its input if the server refuses it. */
export function NewScheduleDialog({ onClose }: { onClose: () => void }) {
  const { schedules: say } = useFileflowWords();
  const { common } = useWords();
  const make = useMutation({
    mutationFn: (form: FormData) => fileflow().pipelineSchedules.add(scheduleIn(form)),
    onSettled: () => void queryClient.invalidateQueries(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    make.mutate(new FormData(event.currentTarget));
  };
  if (make.data) {
    return (
      <Dialog title={say.made} onClose={onClose}>
        {!make.data.isActive && (
          <p className="rounded-md bg-warn-wash px-3 py-2 text-warn-ink">{say.pausedHint}</p>
        )}
        <NextRuns timeZone={make.data.timeZone} nextRuns={make.data.nextRuns} />
        <div className="flex justify-end">
          <Button tone="primary" onClick={onClose} data-autofocus>
            {common.close}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={say.make} onClose={onClose} isHeld={make.isPending}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Fields />
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

function Fields() {
  const { schedules: say } = useFileflowWords();
  const { data: pipelines } = useQuery(fileflowQueries.pipelines(1));
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const choice = (label: string, name: string, choices: readonly string[], words: Record<string, string>) => (
    <Field label={label}>
      {(field) => (
        <select {...field} name={name}>
          {choices.map((each) => (
            <option key={each} value={each}>
              {words[each] ?? each}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const codes = pipelines?.items.map(({ code }) => code) ?? ["default"];
  return (
    <>
      {choice(say.pipeline, "pipelineCode", codes, {})}
      <TextField
        label={say.cron}
        hint={say.cronHint}
        name="cron"
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        placeholder="0 3 * * *"
        data-autofocus
      />
      <TextField label={say.timeZone} name="timeZone" required defaultValue={here} list={ZONES} />
      <datalist id={ZONES}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={say.bucket}
          hint={say.bucketHint}
          name="bucket"
          maxLength={255}
          autoComplete="off"
        />
        <TextField label={say.prefix} name="prefix" maxLength={1_024} autoComplete="off" />
        {choice(say.missed, "missed", MISSED, say.missedPolicy)}
        {choice(say.overlap, "overlap", OVERLAP, say.overlapPolicy)}
        <TextField label={say.tenant} hint={say.defaultHint} name="tenantId" maxLength={200} />
        <TextField label={say.organization} hint={say.defaultHint} name="organizationId" maxLength={200} />
      </div>
      <label className="flex items-center gap-2">
        <input type="checkbox" name="isPaused" className="size-4" />
        {say.startPaused}
      </label>
    </>
  );
}

function scheduleIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const [bucket, tenantId, organizationId] = [text("bucket"), text("tenantId"), text("organizationId")];
  return {
    pipelineCode: text("pipelineCode"),
    cron: text("cron"),
    timeZone: text("timeZone"),
    isActive: form.get("isPaused") === null,
    missed: text("missed") as Schedule["missed"],
    overlap: text("overlap") as Schedule["overlap"],
    ...(bucket === "" ? {} : { input: { bucket, prefix: text("prefix") } }),
    ...(tenantId === "" ? {} : { tenantId }),
    ...(organizationId === "" ? {} : { organizationId }),
  };
}

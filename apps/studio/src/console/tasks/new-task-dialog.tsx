import { RefusedError } from "@andon/client";
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
import { type FormEvent, useRef, useState } from "react";
import { studio, taskAddress } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { urlsIn } from "./image-urls.ts";
import { UrlField } from "./url-field.tsx";

const SOURCES = ["upload", "urls", "titles"] as const;
type Source = (typeof SOURCES)[number];
const LANGUAGES = ["auto", "ko", "en"] as const;

/**
 * Creates a task. The dialog keeps its input if the server refuses it. Its idempotency key makes a repeated submit create one
 * task.
 */
export function NewTaskDialog({ onClose }: { onClose: () => void }) {
  const say = useStudioWords();
  const { common } = useWords();
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>("upload");
  const key = useRef(newKey());
  const make = useMutation({
    mutationFn: (form: FormData) =>
      studio().tasks.create(taskIn(form), { headers: { "idempotency-key": key.current } }),
    onError: (error) => {
      // A refused request stored nothing, so the next one needs a new key. A request without an answer may have been stored.
      if (error instanceof RefusedError) key.current = newKey();
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["studio"] }),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (make.isPending) return;
    const made = await make.mutateAsync(new FormData(event.currentTarget)).catch(() => undefined);
    if (!made) return;
    notify(say.made);
    onClose();
    void navigate({ to: taskAddress(made.taskId) });
  };
  return (
    <Dialog title={say.make} onClose={onClose} isHeld={make.isPending} wide>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextField
          label={say.title}
          name="title"
          required
          pattern=".*\S.*"
          maxLength={500}
          autoComplete="off"
          data-autofocus
        />
        <Field label={say.form.prompt} hint={say.form.promptHint}>
          {(field) => <textarea {...field} name="prompt" rows={3} maxLength={20_000} />}
        </Field>
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField
            label={say.form.scheduledTime}
            hint={say.form.scheduledHint}
            name="scheduledTime"
            type="datetime-local"
          />
          <TextField
            label={say.priority}
            hint={say.form.priorityHint}
            name="priority"
            type="number"
            min={-1_000_000}
            max={1_000_000}
            step={1}
            placeholder="0"
          />
          <Field label={say.form.language}>
            {(field) => (
              <select {...field} name="language">
                {LANGUAGES.map((each) => (
                  <option key={each} value={each}>
                    {say.form.languages[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Field label={say.form.images} hint={say.form.sourceHints[source]}>
          {(field) => (
            <select
              {...field}
              name="source"
              value={source}
              onChange={({ target }) => setSource(SOURCES.find((each) => each === target.value) ?? "upload")}
            >
              {SOURCES.map((each) => (
                <option key={each} value={each}>
                  {say.form.sources[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {source === "urls" && <UrlField />}
        <SpeechBox />
        <details>
          <summary className="text-xs font-medium text-soft">{say.form.script}</summary>
          <div className="pt-2">
            <Field label={say.form.script} hint={say.form.scriptHint}>
              {(field) => <textarea {...field} name="script" rows={6} maxLength={50_000} />}
            </Field>
          </div>
        </details>
        {make.error && <Problem error={make.error} of="decision" />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={make.isPending} onClick={onClose}>
            {common.close}
          </Button>
          <Button tone="primary" type="submit" disabled={make.isPending}>
            {make.isPending ? common.pending : say.form.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function SpeechBox() {
  const { form: say } = useStudioWords();
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" name="speech" className="mt-1" />
      <span>
        {say.speech} <span className="block text-xs text-faint">{say.speechHint}</span>
      </span>
    </label>
  );
}

/** The input without empty fields, so that the server's defaults apply. */
function taskIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const [prompt, script, at, priority] = ["prompt", "script", "scheduledTime", "priority"].map(text);
  const language = LANGUAGES.find((each) => each !== "auto" && each === text("language"));
  return {
    title: text("title"),
    ...(prompt ? { prompt } : {}),
    ...(script ? { script } : {}),
    ...(at ? { scheduledTime: new Date(at).toISOString() } : {}),
    ...(priority ? { priority: Number(priority) } : {}),
    ...(language && language !== "auto" ? { language } : {}),
    ...(text("source") === "urls" ? { images: urlsIn(text("urls")) } : {}),
    ...(text("source") === "titles" ? { imageSource: "titles" as const } : {}),
    ...(form.get("speech") === "on" ? { speech: true } : {}),
  };
}

/** Not `randomUUID`, which exists only in secure contexts (HTTPS or localhost). */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

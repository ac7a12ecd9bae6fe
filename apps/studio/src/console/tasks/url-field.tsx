import { Field } from "@andon/console/room";
import { useStudioWords } from "../i18n/words.ts";
import { badUrlIn } from "./image-urls.ts";

/** Addresses of images, one per line. The browser names a wrong one before the form is sent. */
export function UrlField() {
  const { form: say } = useStudioWords();
  return (
    <Field label={say.urls} hint={say.urlsHint}>
      {(field) => (
        <textarea
          {...field}
          name="urls"
          rows={3}
          required
          spellCheck={false}
          placeholder="https://example.com/photo.jpg"
          onChange={({ target }) => {
            const bad = badUrlIn(target.value);
            target.setCustomValidity(bad === undefined ? "" : say.badUrl(bad));
          }}
        />
      )}
    </Field>
  );
}

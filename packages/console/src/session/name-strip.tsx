import { useState } from "react";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { NameForm } from "./name-form.tsx";
import { useMe } from "./session.ts";

const LATER = "andon.name-later";

/** Asks for the person's name, once per login: several people share the admin key, so its name does not say who decided. */
export function NameStrip() {
  const { login } = useWords();
  const { actor, name, canBeNamed } = useMe();
  const [isLater, setLater] = useState(sessionStorage.getItem(LATER) !== null);
  if (!canBeNamed || name !== null || isLater) return null;
  const later = () => {
    sessionStorage.setItem(LATER, "");
    setLater(true);
  };
  return (
    <section
      aria-label={login.whoAreYou}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-accent-wash px-3 py-2.5 sm:px-6"
    >
      <p className="min-w-0">
        <strong className="font-semibold">{login.whoAreYou}</strong> {login.whyName(actor)}
      </p>
      <NameForm>
        <Button tone="quiet" onClick={later}>
          {login.nameLater}
        </Button>
      </NameForm>
    </section>
  );
}

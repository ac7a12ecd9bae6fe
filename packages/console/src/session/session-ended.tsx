import { useWords } from "../i18n/words.ts";
import { hasSessionEnded } from "./session.ts";
import { unfinished } from "./unfinished.ts";

/** Explains why the login is shown instead of a page, and what happened to an unfinished decision. */
export function SessionEnded() {
  const { login } = useWords();
  const found = unfinished();
  const left = found?.isTold ? undefined : found;
  if (!hasSessionEnded() && !left) return null;
  return (
    <div role="alert" className="rounded-md bg-warn-wash px-3 py-2 text-warn-ink" data-session-ended>
      <p className="font-medium">{login.ended}</p>
      {left && <p className="wrap-anywhere">{(left.isSent ? login.notKnown : login.notSent)(left.about)}</p>}
      {left && left.reason !== "" && <p>{login.reasonKept}</p>}
      <p>{login.comeBack}</p>
    </div>
  );
}

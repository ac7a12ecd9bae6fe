import { useWords } from "../i18n/words.ts";

/** A page of the web is a link; one of the documentation is told by its path. */
export function RunbookLink({ address }: { address: string }) {
  const { alerts: say } = useWords();
  if (!/^https?:/.test(address)) {
    return (
      <span className="text-faint">
        {say.runbook}: <span className="font-mono wrap-anywhere">{address}</span>
      </span>
    );
  }
  return (
    <a href={address} target="_blank" rel="noreferrer" className="text-accent underline">
      {say.runbook}
    </a>
  );
}

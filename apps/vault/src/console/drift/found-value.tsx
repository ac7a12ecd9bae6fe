import { Time, useNumber } from "@andon/console/room";
import { useVaultWords } from "../i18n/words.ts";

const SHOWN_OF_CHECKSUM = 12;

/** Sizes, checksums, times and paths, as the comparison recorded them. */
export function Found({ value }: { value: unknown }) {
  const { drift: say } = useVaultWords();
  if (value === null || typeof value !== "object") return "–";
  return Object.entries(value).map(([name, each]) => (
    <p key={name} className="text-xs">
      <span className="text-faint">{say.field[name] ?? name}</span>{" "}
      <span className="path font-mono" title={String(each)}>
        <FoundValue name={name} value={each} />
      </span>
    </p>
  ));
}

/** Sizes are shown in bytes, because two sizes can differ by one byte. */
function FoundValue({ name, value }: { name: string; value: unknown }) {
  const { held, trash } = useVaultWords();
  const number = useNumber();
  const text = String(value);
  if (name === "size") return `${number(Number(value))} B`;
  if (name === "sha256") return `${text.slice(0, SHOWN_OF_CHECKSUM)}…`;
  if (name === "modifiedAt") return <Time at={text} show="absolute" />;
  if (name === "knownAt") return value === null ? held.nowhere : `/${text}`;
  return name === "kind" && (text === "file" || text === "folder") ? trash.kind[text] : text;
}

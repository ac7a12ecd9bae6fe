import { type Column, Link, Row, Table, Time, useNumber } from "@andon/console/room";
import { letterAddress } from "../addresses.ts";
import type { DeadLetter } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { LetterMark } from "../marks.tsx";

interface LetterTableProps {
  readonly letters: readonly DeadLetter[];
  readonly selected: ReadonlySet<string>;
  /** Undefined if the reader may not redrive. */
  readonly onSelect: ((id: string, isSelected: boolean) => void) | undefined;
}

export function LetterTable({ letters, selected, onSelect }: LetterTableProps) {
  const { dlq: say, common } = useFileflowWords();
  const number = useNumber();
  const columns: readonly Column[] = [
    ...(onSelect ? [{ label: say.redrive, silent: true }] : []),
    { label: say.reasons, free: true },
    { label: say.state },
    { label: say.source, wide: true },
    { label: say.redrives, wide: true, end: true },
    { label: say.received, end: true },
  ];
  return (
    <Table label={say.title} columns={columns}>
      {letters.map((letter) => (
        <Row
          key={letter.id}
          about={letter.id}
          isSelected={selected.has(letter.id)}
          columns={columns}
          cells={[
            ...(onSelect
              ? [
                  <input
                    key="select"
                    type="checkbox"
                    aria-label={say.select(letter.id)}
                    disabled={letter.state !== "DEAD"}
                    checked={selected.has(letter.id)}
                    onChange={(event) => onSelect(letter.id, event.target.checked)}
                    className="mt-1 size-4"
                  />,
                ]
              : []),
            <Why key="why" letter={letter} />,
            <LetterMark key="state" state={letter.state} />,
            common.letterSource[letter.source],
            number(letter.redriveCount),
            <Time key="at" at={letter.receivedAt} />,
          ]}
        />
      ))}
    </Table>
  );
}

const SHOWN = 140;

function Why({ letter: { id, error, reasons, body } }: { letter: DeadLetter }) {
  return (
    <>
      <Link row to={letterAddress(id)}>
        <span className="font-mono">{error}</span>
      </Link>
      <p className="text-soft">{reasons.join("; ")}</p>
      <p className="font-mono text-xs text-faint max-md:hidden">
        {body.length > SHOWN ? `${body.slice(0, SHOWN)}…` : body}
      </p>
    </>
  );
}

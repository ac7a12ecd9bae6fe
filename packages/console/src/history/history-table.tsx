import { useState } from "react";
import type { HistoryPoint } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { TABLE_VALUES, type Value } from "./chart-panels.ts";
import { useValueText } from "./value-text.ts";

const ON_A_PHONE: ReadonlySet<Value> = new Set(["done", "failed", "waiting"]);

/** The numbers of the charts, newest first. A day has 1,440 rows, so they are rendered only when opened. */
export function HistoryTable({ points }: { points: readonly HistoryPoint[] }) {
  const { history: say } = useWords();
  const valueText = useValueText();
  const [isOpen, setIsOpen] = useState(false);
  const columns: readonly Column[] = [
    { label: say.at },
    ...TABLE_VALUES.map((value) => ({
      label: say.values[value],
      end: true,
      wide: !ON_A_PHONE.has(value),
    })),
  ];
  return (
    <details
      className="border-t border-line text-xs"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="px-3 py-2 text-soft sm:px-4">{say.table}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable with the keyboard
        <section aria-label={say.table} tabIndex={0} className="max-h-96 overflow-y-auto">
          <Table label={say.title} columns={columns}>
            {points.toReversed().map((point) => (
              <Row
                key={point.at}
                columns={columns}
                cells={[
                  <Time key="at" at={point.at} show="absolute" />,
                  ...TABLE_VALUES.map((value) => valueText(value, point[value])),
                ]}
              />
            ))}
          </Table>
        </section>
      )}
    </details>
  );
}

import { Link } from "../ui/link.tsx";
import { useNumber } from "../ui/number.tsx";

export interface ListTab {
  readonly key: string;
  readonly label: string;
  /** The address of its list. The tab is a link, so that it can be opened in a new browser tab. */
  readonly to: string;
  readonly isHere: boolean;
  /** Absent while it is not known. */
  readonly count?: number | undefined;
  /** True if there are more than `count`. */
  readonly isMore?: boolean;
  /** True if its jobs wait for a person. */
  readonly isBad?: boolean;
}

/** Tabs for the parts of a list, such as the states of jobs, each with its number. */
export function ListTabs({ label, tabs }: { label: string; tabs: readonly ListTab[] }) {
  const number = useNumber();
  return (
    <nav aria-label={label} className="border-b border-line px-1.5">
      <ul className="flex flex-wrap">
        {tabs.map((tab) => (
          <li key={tab.key} data-tab={tab.key}>
            <Link
              to={tab.to}
              isCurrent={tab.isHere}
              className="flex min-h-8 items-baseline gap-1.5 border-b-2 border-transparent px-2.5 py-1.5 whitespace-nowrap text-soft hover:text-ink data-current:border-accent data-current:font-semibold data-current:text-ink"
            >
              {tab.label}
              <span
                data-count={tab.count}
                className={`text-xs tabular-nums ${tab.isBad && tab.count ? "font-semibold text-stop-ink" : "text-faint"}`}
              >
                {tab.count === undefined ? "" : `${number(tab.count)}${tab.isMore ? "+" : ""}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

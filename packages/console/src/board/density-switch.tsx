import { Rows4 } from "lucide-react";
import { useWords } from "../i18n/words.ts";
import { chooseDensity, type Density } from "./density.ts";

/** Switches between compact and roomy rows. The choice is stored. */
export function DensitySwitch({ density }: { density: Density }) {
  const { overview } = useWords();
  const isCompact = density === "compact";
  return (
    <button
      type="button"
      aria-label={overview.compact}
      title={overview.compact}
      aria-pressed={isCompact}
      onClick={() => chooseDensity(isCompact ? "roomy" : "compact")}
      className="grid size-8 place-items-center rounded-md border border-line bg-control text-soft shadow-control hover:border-line-strong hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent max-md:hidden"
    >
      <Rows4 size={16} aria-hidden="true" />
    </button>
  );
}

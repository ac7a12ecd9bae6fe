import { Link as RouterLink } from "@tanstack/react-router";
import { ROOMS, type Room } from "../rooms.ts";
import { isAllowed, useMe } from "../session/session.ts";
import { useHasVault } from "../vault/presence.ts";
import { useLanguage } from "../words/language.ts";
import { useWords } from "../words/words.ts";

/** The rooms that there are, and that the reader may enter. */
export function useMenu(): readonly Room[] {
  const me = useMe();
  const hasVault = useHasVault();
  return ROOMS.filter(
    (room) => room.inMenu !== false && isAllowed(me, room) && (room.app !== "vault" || hasVault),
  );
}

export function Menu() {
  const { shell } = useWords();
  const language = useLanguage();
  return (
    <nav
      aria-label={shell.menu}
      className="relative flex gap-0.5 overflow-x-auto px-2 py-1 lg:flex-col lg:overflow-visible lg:p-2"
    >
      {useMenu().map(({ path, label, icon: Icon }) => (
        <RouterLink
          key={path}
          to={path}
          activeOptions={{ exact: path === "/", includeSearch: false }}
          title={label[language]}
          className="group flex shrink-0 items-center gap-2 rounded-md px-2.5 py-1.5 text-soft hover:bg-panel hover:text-ink aria-[current=page]:bg-panel aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          <Icon size={16} aria-hidden="true" />
          <span className="group-aria-[current=page]:not-sr-only max-sm:sr-only">{label[language]}</span>
        </RouterLink>
      ))}
    </nav>
  );
}

import { Link as RouterLink, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ROOMS, type Room } from "../rooms.ts";
import { isAllowed, useMe } from "../session/session.ts";
import { useHasVault } from "../vault/presence.ts";
import { useLanguage } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import { useOverflowMarks } from "./overflow.ts";

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
  const rooms = useMenu();
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useOverflowMarks(ref);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room is active when the address is another, and an app brings its rooms a moment later
  useEffect(() => {
    const bar = ref.current;
    const active = bar?.querySelector<HTMLElement>("[aria-current=page]");
    // Not scrollIntoView: it would also pull a page that is scrolled down back up to the bar.
    if (bar && active) bar.scrollLeft = active.offsetLeft - (bar.clientWidth - active.offsetWidth) / 2;
  }, [pathname, rooms.length]);
  return (
    <nav
      ref={ref}
      aria-label={shell.menu}
      className="rooms relative flex gap-0.5 overflow-x-auto px-2 py-1 lg:flex-col lg:overflow-visible lg:p-2"
    >
      {rooms.map(({ path, label, icon: Icon }) => (
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

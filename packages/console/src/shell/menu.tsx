import { useLocation } from "@tanstack/react-router";
import { Fragment, useEffect, useRef } from "react";
import { useWords } from "../i18n/words.ts";
import { type KnownRoom, ROOMS } from "../rooms.ts";
import { isAllowed, runs, useMe } from "../session/session.ts";
import { useOverflowMarks } from "./overflow.ts";
import { PhoneMenu } from "./phone-menu.tsx";
import { RoomLink } from "./room-link.tsx";

/** The rooms of the menu that the reader may enter. */
export function useMenu(): readonly KnownRoom[] {
  const me = useMe();
  return ROOMS.filter((room) => room.inMenu !== false && runs(me, room) && isAllowed(me, room));
}

export function Menu() {
  const rooms = useMenu();
  return (
    <>
      <PhoneMenu rooms={rooms} />
      <RoomBar rooms={rooms} />
    </>
  );
}

/** The width of the next room that stays visible, as a sign that there is one. */
const MARGIN_PX = 40;

const ENTRY =
  "flex shrink-0 items-center gap-2.5 rounded-md border border-transparent px-2.5 py-1.5 text-soft hover:bg-raised hover:text-ink aria-[current=page]:border-line aria-[current=page]:bg-panel aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:shadow-control";

/** The heading of an app's rooms; a line before the core's rooms, which have no heading. */
function GroupOf({ app }: { app: string | undefined }) {
  return app === undefined ? (
    <hr className="my-2.5 border-line max-lg:hidden" />
  ) : (
    <p className="px-2.5 pt-4 pb-1 text-xs font-medium text-faint capitalize max-lg:hidden">{app}</p>
  );
}

/**
 * Scrolls the bar only as far as necessary, because a list that moves must be read again. Not `scrollIntoView`, which would also
 * scroll the page up to the bar.
 */
function showInBar(bar: HTMLElement, active: HTMLElement): void {
  const left = active.offsetLeft - MARGIN_PX;
  const top = active.offsetTop - MARGIN_PX;
  const right = active.offsetLeft + active.offsetWidth + MARGIN_PX - bar.clientWidth;
  const bottom = active.offsetTop + active.offsetHeight + MARGIN_PX - bar.clientHeight;
  bar.scrollLeft = Math.max(right, Math.min(bar.scrollLeft, left));
  bar.scrollTop = Math.max(bottom, Math.min(bar.scrollTop, top));
}

/** The bar of rooms: beside the page, or above it on a narrow screen. */
function RoomBar({ rooms }: { rooms: readonly KnownRoom[] }) {
  const { shell } = useWords();
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useOverflowMarks(ref);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active room depends on the address, the rooms on the apps
  useEffect(() => {
    const bar = ref.current;
    const active = bar?.querySelector<HTMLElement>("[aria-current=page]");
    if (bar && active) showInBar(bar, active);
  }, [pathname, rooms.length]);
  return (
    <nav
      ref={ref}
      aria-label={shell.menu}
      className="rooms relative flex gap-0.5 overflow-x-auto px-2 py-1.5 max-sm:hidden lg:min-h-0 lg:flex-col lg:overflow-x-hidden lg:px-2.5 lg:pt-0.5 lg:pb-4"
    >
      {rooms.map((room, index) => (
        <Fragment key={room.path}>
          {index > 0 && rooms[index - 1]?.app !== room.app && <GroupOf app={room.app} />}
          <RoomLink room={room} className={ENTRY} />
        </Fragment>
      ))}
    </nav>
  );
}

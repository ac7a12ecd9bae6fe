import { useLocation } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Room } from "../console-app.ts";
import { useWords } from "../i18n/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { isInRoom, RoomLink } from "./room-link.tsx";

const ENTRY =
  "relative flex min-w-0 flex-1 flex-col items-center gap-0.5 rounded-md px-1 py-1 text-xs whitespace-nowrap text-soft aria-[current=page]:bg-panel aria-[current=page]:font-semibold aria-[current=page]:text-ink";
const ROW =
  "relative flex items-center gap-3 rounded-md px-3 py-2.5 hover:bg-raised aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold";

/** The most used rooms by name; the others are in a menu. */
export function PhoneMenu({ rooms }: { rooms: readonly Room[] }) {
  const { shell } = useWords();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const more = rooms.filter(({ onPhone }) => !onPhone);
  return (
    <nav aria-label={shell.menu} className="flex gap-0.5 px-2 py-1 sm:hidden">
      {rooms
        .filter(({ onPhone }) => onPhone)
        .map((room) => (
          <RoomLink key={room.path} room={room} className={ENTRY} />
        ))}
      {more.length > 0 && (
        <button
          type="button"
          aria-haspopup="dialog"
          {...(more.some((room) => isInRoom(room, pathname)) ? { "aria-current": "page" as const } : {})}
          onClick={() => setOpen(true)}
          className={ENTRY}
        >
          <Ellipsis size={16} aria-hidden="true" />
          {shell.more}
        </button>
      )}
      {isOpen && (
        <Dialog title={shell.more} onClose={() => setOpen(false)}>
          <ul>
            {more.map((room) => (
              <li key={room.path}>
                <RoomLink room={room} className={ROW} onFollow={() => setOpen(false)} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </nav>
  );
}

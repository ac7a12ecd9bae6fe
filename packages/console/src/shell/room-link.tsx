import { useLocation } from "@tanstack/react-router";
import type { Room } from "../console-app.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { Link } from "../ui/link.tsx";
import { useOpenAlerts } from "./open-alerts.ts";

interface RoomLinkProps {
  readonly room: Room;
  readonly className: string;
  readonly onFollow?: () => void;
}

const BOARD = "/";
/** A larger number is too wide for the badge in the bar of a phone. */
const MOST_SHOWN = 99;

/** Whether the reader is in this room, or in a room below it. */
export function isInRoom({ path }: Room, pathname: string): boolean {
  if (path === BOARD) return pathname === BOARD || pathname.startsWith("/queues/");
  return pathname === path || pathname.startsWith(`${path}/`);
}

/** A room in the menu, marked while the reader is in it. */
export function RoomLink({ room, className, onFollow }: RoomLinkProps) {
  const language = useLanguage();
  const { pathname } = useLocation();
  const { path, label, icon: Icon } = room;
  return (
    <Link
      to={path}
      isCurrent={isInRoom(room, pathname)}
      title={label[language]}
      className={className}
      {...(onFollow ? { onFollow } : {})}
    >
      <Icon size={16} aria-hidden="true" />
      {label[language]}
      {path === "/alerts" && <OpenAlerts />}
    </Link>
  );
}

function OpenAlerts() {
  const { alerts } = useWords();
  const open = useOpenAlerts();
  if (open === 0) return null;
  return (
    <span className="rounded-full bg-stop-wash px-1.5 text-xs font-semibold text-stop-ink max-sm:absolute max-sm:top-0.5 max-sm:left-1/2 max-sm:ml-1.5">
      <span aria-hidden="true">{open > MOST_SHOWN ? `${MOST_SHOWN}+` : open}</span>
      <span className="sr-only">
        {open} {alerts.firing}
      </span>
    </span>
  );
}

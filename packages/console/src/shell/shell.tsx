import { Outlet } from "@tanstack/react-router";
import { Keyboard, LogOut } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useStale } from "../api/freshness.ts";
import { useWords } from "../i18n/words.ts";
import { lazyPart } from "../lazy-page.tsx";
import { RunningWork } from "../operations/running-work.tsx";
import type { ChosenDecision, Followed } from "../palette/actions.ts";
import { Palette } from "../palette/palette.tsx";
import { logout } from "../session/logout.ts";
import { NameStrip } from "../session/name-strip.tsx";
import { useMe } from "../session/session.ts";
import { MAIN_KEY, pressMainDecision } from "../ui/button.tsx";
import { keepFocus } from "../ui/keep-focus.ts";
import { moveToRow, useKeys } from "../ui/keyboard.ts";
import { Link } from "../ui/link.tsx";
import { ZoneNote } from "../ui/zone-note.tsx";
import { Help } from "./help.tsx";
import { LiveMark, StaleStrip } from "./live-mark.tsx";
import { Logo } from "./logo.tsx";
import { Menu } from "./menu.tsx";
import { Notices } from "./notices.tsx";
import { usePageTitle } from "./page-title.ts";
import { SearchButton } from "./search.tsx";
import { LanguageSwitch, ThemeSwitch } from "./switches.tsx";

type Overlay = "palette" | "help" | "operations";

const FollowedDialog = lazyPart(() => import("../palette/followed-dialog.tsx"));
const OperationsDialog = lazyPart(() => import("../operations/operations-dialog.tsx"));

/** The frame around every room. */
export function Shell() {
  const { common } = useWords();
  const [overlay, setOverlay] = useState<Overlay>();
  const [followed, setFollowed] = useState<ChosenDecision>();
  const isStale = useStale() !== undefined;
  usePageTitle();
  usePaletteKey(() => setOverlay("palette"));
  useEffect(keepFocus, []);
  useKeys({
    "/": () => focusSearch(() => setOverlay("palette")),
    "?": () => setOverlay("help"),
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
    [MAIN_KEY]: pressMainDecision,
  });
  const close = () => setOverlay(undefined);
  const follow = (next: Followed) => {
    if ("action" in next) setFollowed(next);
    else setOverlay(next.kind);
  };
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:rounded-md focus:bg-raised focus:p-2"
      >
        {common.skipToMain}
      </a>
      <aside className="border-line lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r">
        <p className="flex h-14 shrink-0 items-center px-4 text-lg font-bold max-lg:hidden">
          <Link to="/" className="flex items-center gap-2.5 rounded-md text-ink">
            <Logo />
            Andon
          </Link>
        </p>
        <Menu />
      </aside>
      <div className="min-w-0">
        <Header onOpen={setOverlay} />
        <StaleStrip />
        <NameStrip />
        <main
          id="main"
          tabIndex={-1}
          data-stale={isStale || undefined}
          className="mx-auto flex max-w-7xl flex-col gap-5 p-3 outline-none has-[[data-wide]]:max-w-[120rem] sm:p-6"
        >
          <Outlet />
        </main>
        <ZoneNote />
      </div>
      <Suspense fallback={null}>
        {overlay === "operations" && <OperationsDialog onClose={close} />}
        {followed && <FollowedDialog followed={followed} onClose={() => setFollowed(undefined)} />}
      </Suspense>
      {overlay === "palette" && <Palette onClose={close} onFollow={follow} />}
      {overlay === "help" && <Help onClose={close} />}
      <Notices />
    </div>
  );
}

function Header({ onOpen }: { onOpen: (overlay: Overlay) => void }) {
  const { shell, login } = useWords();
  const { actor } = useMe();
  return (
    <header className="top-0 z-20 flex min-h-14 flex-wrap items-center gap-2 border-y border-line bg-ground/85 px-3 py-2 backdrop-blur-md sm:gap-3 sm:px-6 sm:sticky lg:border-t-0">
      <SearchButton onOpen={() => onOpen("palette")} />
      <RunningWork onOpen={() => onOpen("operations")} />
      <LiveMark />
      <LanguageSwitch />
      <span className="max-sm:hidden">
        <ThemeSwitch />
      </span>
      <button
        type="button"
        title={shell.help}
        aria-label={shell.help}
        onClick={() => onOpen("help")}
        className="rounded-md p-1.5 text-soft hover:bg-raised hover:text-ink max-sm:hidden"
      >
        <Keyboard size={17} aria-hidden="true" />
      </button>
      <button
        type="button"
        title={`${login.logout} (${actor})`}
        aria-label={login.logout}
        onClick={() => void logout()}
        className="rounded-md p-1.5 text-soft hover:bg-raised hover:text-ink"
      >
        <LogOut size={17} aria-hidden="true" />
      </button>
    </header>
  );
}

/** Focuses the search box of the page; opens the palette if there is none. */
function focusSearch(openPalette: () => void): void {
  const box = document.querySelector<HTMLElement>("main [data-search]");
  if (box) box.focus();
  else openPalette();
}

function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) open();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}

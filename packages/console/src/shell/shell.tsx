import { Outlet } from "@tanstack/react-router";
import { Keyboard, LogOut } from "lucide-react";
import { useEffect, useState } from "react";
import { api } from "../api/client.ts";
import { useStale } from "../api/freshness.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useMe } from "../session/session.ts";
import { moveToRow, useKeys } from "../ui/keyboard.ts";
import { Link } from "../ui/link.tsx";
import { Notices } from "../ui/notice.tsx";
import { ZoneNote } from "../ui/zone-note.tsx";
import { Help } from "./help.tsx";
import { LiveMark, StaleStrip } from "./live-mark.tsx";
import { Menu } from "./menu.tsx";
import { usePageTitle } from "./page-title.ts";
import { Palette } from "./palette.tsx";
import { HeaderSearch } from "./search.tsx";
import { LanguageSwitch, ThemeSwitch } from "./switches.tsx";

type Overlay = "palette" | "help";

/** What stands around every room. */
export function Shell() {
  const { common } = useWords();
  const [overlay, setOverlay] = useState<Overlay>();
  const isStale = useStale() !== undefined;
  usePageTitle();
  usePaletteKey(() => setOverlay("palette"));
  useKeys({
    "/": focusSearch,
    "?": () => setOverlay("help"),
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
  });
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[11rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-raised focus:p-2"
      >
        {common.skipToMain}
      </a>
      <aside className="border-line lg:border-r">
        <p className="px-4 pt-3 text-base font-bold tracking-tight max-lg:hidden">
          <Link to="/" className="text-ink">
            Andon
          </Link>
        </p>
        <Menu />
      </aside>
      <div className="min-w-0">
        <Header onHelp={() => setOverlay("help")} />
        <StaleStrip />
        <main
          id="main"
          tabIndex={-1}
          data-stale={isStale || undefined}
          className="mx-auto flex max-w-7xl flex-col gap-4 p-3 outline-none sm:p-4"
        >
          <Outlet />
        </main>
        <ZoneNote />
      </div>
      {overlay === "palette" && <Palette onClose={() => setOverlay(undefined)} />}
      {overlay === "help" && <Help onClose={() => setOverlay(undefined)} />}
      <Notices />
    </div>
  );
}

function Header({ onHelp }: { onHelp: () => void }) {
  const { shell, login } = useWords();
  const { actor } = useMe();
  const logout = async () => {
    await api().session.logout();
    await queryClient.resetQueries();
  };
  return (
    <header className="flex flex-wrap items-center gap-2 border-y border-line bg-panel px-3 py-2 sm:px-4 lg:border-t-0">
      <HeaderSearch />
      <LiveMark />
      <LanguageSwitch />
      <span className="max-sm:hidden">
        <ThemeSwitch />
      </span>
      <button
        type="button"
        title={shell.help}
        aria-label={shell.help}
        onClick={onHelp}
        className="rounded p-1.5 text-soft hover:text-ink max-sm:hidden"
      >
        <Keyboard size={17} aria-hidden="true" />
      </button>
      <button
        type="button"
        title={`${login.logout} (${actor})`}
        aria-label={login.logout}
        onClick={() => void logout()}
        className="rounded p-1.5 text-soft hover:text-ink"
      >
        <LogOut size={17} aria-hidden="true" />
      </button>
    </header>
  );
}

/** A search box of the page itself is nearer than the one above it. */
function focusSearch(): void {
  const box =
    document.querySelector<HTMLElement>("main [data-search]") ??
    document.querySelector<HTMLElement>("[data-search]");
  box?.focus();
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

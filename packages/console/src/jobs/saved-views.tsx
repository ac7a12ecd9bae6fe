import { Bookmark, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { TextField } from "../ui/field.tsx";
import { jobsPath, Link } from "../ui/link.tsx";
import { notify } from "../ui/notice.ts";
import { readViews, type SavedView, writeViews } from "./view-store.ts";

/** Named searches. They are stored in this browser; the address of a search can be shared. */
export function SavedViews({ search }: { search: Search }) {
  const { views: say } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Bookmark size={15} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {say.title}
      </Button>
      {isOpen && <ViewsDialog search={search} onClose={() => setOpen(false)} />}
    </>
  );
}

function ViewsDialog({ search, onClose }: { search: Search; onClose: () => void }) {
  const { views: say } = useWords();
  const [views, setViews] = useState(readViews);
  const { page: _page, cursor: _cursor, ...kept } = search;
  const isEmpty = Object.values(kept).every((value) => !value);
  const keep = (next: readonly SavedView[]) => {
    writeViews(next);
    setViews(next);
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (name === "" || isEmpty) return;
    keep([...views.filter((view) => view.name !== name), { name, search: kept }]);
    event.currentTarget.reset();
    notify(say.saved(name));
  };
  return (
    <Dialog title={say.title} onClose={onClose}>
      {views.length === 0 ? (
        <Empty title={say.none} hint={say.noneHint} icon={Bookmark} />
      ) : (
        <ul className="flex flex-col" data-views>
          {views.map((view) => (
            <li
              key={view.name}
              className="flex items-center justify-between gap-2 border-b border-line last:border-0"
            >
              <Link
                to={jobsPath(view.search)}
                onFollow={onClose}
                className="min-w-0 flex-1 truncate py-2 font-medium text-accent hover:underline"
              >
                {view.name}
              </Link>
              <button
                type="button"
                aria-label={say.remove(view.name)}
                onClick={() => keep(views.filter(({ name }) => name !== view.name))}
                className="grid size-8 place-items-center rounded text-soft hover:text-ink"
              >
                <X size={15} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={save} className="flex items-end gap-2">
        <div className="flex-1">
          <TextField label={say.name} name="name" maxLength={100} required disabled={isEmpty} />
        </div>
        <Button type="submit" disabled={isEmpty}>
          {say.save}
        </Button>
      </form>
      {isEmpty && <p className="text-faint">{say.nothingToSave}</p>}
    </Dialog>
  );
}

import { registerHooks } from "node:module";

/*
 * Our packages without the history by the minute: imported before them, this module removes it from their code as it is
 * loaded. Users have no setting that turns it off, and none exists just for a measurement. The time of a change in each row
 * of the counts stays, which is one number per request.
 */
interface Cut {
  readonly file: string;
  readonly what: string;
  readonly instead: string;
}

const CUTS: readonly Cut[] = [
  {
    file: "/engine/dist/history/measured-times.js",
    what: "started({ fence, job }) {",
    instead: "started({ fence, job }) { return;",
  },
  {
    file: "/engine/dist/history/measured-times.js",
    what: "ended({ job }, ms) {",
    instead: "ended({ job }, ms) { return;",
  },
  {
    file: "/store/dist/readers/count-reader.js",
    what: "await addHistory(",
    instead: "if (false) await addHistory(",
  },
];
const left = new Set(CUTS);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const cuts = CUTS.filter(({ file }) => url.endsWith(file));
    if (cuts.length === 0) return loaded;
    let source = String(loaded.source);
    for (const cut of cuts) {
      if (!source.includes(cut.what)) throw new Error(`${cut.file} has no "${cut.what}" to leave out`);
      source = source.replace(cut.what, cut.instead);
      left.delete(cut);
    }
    return { ...loaded, source };
  },
});

/** Throws if a part was not removed because its module was never loaded. */
export function assertLeftOut(): void {
  if (left.size > 0) throw new Error(`not left out: ${[...left].map(({ file }) => file).join(", ")}`);
}

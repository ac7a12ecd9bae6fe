/**
 * Lanes by key. Jobs of one document run in order; documents run in parallel. A document that a person holds waits, and the
 * others go on.
 */
import { open } from "andon";

const andon = await open("sqlite::memory:");
const edits = andon.queue<{ document: string; edit: string }>("edits");
const keyOf = ({ document }: { document: string }) => ({ key: document });

await edits.addMany(
  [
    { document: "plan.md", edit: "rename" },
    { document: "notes.md", edit: "move" },
    { document: "plan.md", edit: "delete" },
    { document: "notes.md", edit: "rename" },
  ],
  keyOf,
);
await edits.hold("plan.md", { actor: "kim", reason: "the author still writes" });

const applied = new Map<string, string[]>();
const worker = await edits.work(({ payload: { document, edit } }) => {
  applied.set(document, [...(applied.get(document) ?? []), edit]);
});
await done(2);
print("while plan.md is held");

const [first] = (await edits.jobs("blocked")).items;
if (!first) throw new Error("no job waits");
console.log(`why does the ${first.payload.edit} wait? ${(await andon.why(first.id)).en}`);

await edits.release("plan.md", { actor: "kim", reason: "the author is done" });
await done(4);
print("after kim released it");
await worker.close();
await andon.close();

async function done(count: number): Promise<void> {
  while ((await edits.status()).counts.done < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

function print(when: string): void {
  const lines = ["notes.md", "plan.md"].map((name) => `${name}: ${applied.get(name)?.join(", ") ?? "-"}`);
  console.log(`${when}: ${lines.join("; ")}`);
}

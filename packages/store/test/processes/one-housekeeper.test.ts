import { KINDS, type Member, Site } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";

/*
 * Three processes that define the same queue have one housekeeper. It is killed (SIGKILL), and its successor is stopped
 * (SIGSTOP): each time another takes over the post within seconds, and takes back the jobs of the previous one.
 */
const queue = "kept";
/** Long enough that a busy machine's worker does not lose its lease. */
const rules = { lease: 2_500, sweep: 900, maxStalled: 100 };
const LONG_MS = 300_000;

let site: Site | undefined;
afterEach(() => site?.close());

interface PostRow {
  pid: number;
  term: number;
  beat: number;
}

async function postOf(place: Site): Promise<PostRow | undefined> {
  const rows = await place.query<PostRow>(
    `select w.pid, h.term, h.beat from andon_housekeepers h join andon_workers w on w.id = h.worker`,
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0];
}

async function successorOf(place: Site, { pid, term }: PostRow): Promise<PostRow> {
  let post: PostRow | undefined;
  await place.until("another process is the housekeeper", async () => {
    post = await postOf(place);
    return post !== undefined && post.pid !== pid && post.term > term && post.beat > 0;
  });
  return post as PostRow;
}

test.for(KINDS)(
  "%s: a successor takes over from one that died, and from one that was stopped",
  {
    timeout: 90_000,
  },
  async (kind) => {
    const place = await Site.open(kind);
    site = place;
    const fleet = await place.spawn(3);
    for (const member of fleet) await member.ask({ do: "work", queue, rules, places: 1 });
    const jobs = fleet.map((_, n) => ({ payload: { n, ms: LONG_MS } }));
    await fleet[0]?.ask({ do: "add", queue, rules, jobs });
    await place.until("all are at work", () => place.count("start", queue) === fleet.length);
    const memberOf = ({ pid }: PostRow) => fleet.find((member) => member.pid === pid) as Member;
    const startsOf = (n: number) => place.ledger.read(queue).filter((e) => e.n === n && e.what === "start");
    const jobAt = (pid: number) =>
      startsOf(0)
        .concat(startsOf(1), startsOf(2))
        .find((e) => e.pid === pid)?.n ?? -1;

    let post: PostRow | undefined;
    await place.until("a process is the housekeeper", async () => {
      post = await postOf(place);
      return (post?.beat ?? 0) > 1;
    });
    const first = post as PostRow;
    const lost = jobAt(first.pid);
    await place.crash(memberOf(first));
    const second = await successorOf(place, first);
    const isBack = async () => {
      const rows = await place.query<{ id: string }>("select queue from andon_ready where queue = $1", [
        queue,
      ]);
      return rows.length === 1 || startsOf(lost).length > 1;
    };
    await place.until("the first housekeeper's job is back in line", isBack);

    memberOf(second).signal("SIGSTOP");
    const third = await successorOf(place, second);
    memberOf(second).signal("SIGCONT");
    await place.until("the third housekeeper beats", async () => {
      const now = await postOf(place);
      return now?.pid === third.pid && now.beat > third.beat + 3;
    });
    expect(await postOf(place)).toMatchObject({ pid: third.pid, term: third.term });
  },
);

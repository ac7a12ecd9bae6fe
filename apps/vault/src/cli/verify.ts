import {
  command,
  EXIT,
  Failure,
  HELP,
  isConfirmed,
  LiveBlock,
  needTerminal,
  type Output,
  pageNote,
  pagingOptions,
  reasonOption,
  sleep,
  type Use,
  WORDS,
} from "@andon/cli/app";
import type { Answer } from "@andon/client";
import { VAULT_ROUTES } from "../contract/routes.ts";
import { VAULT } from "./i18n.ts";

type Run = Answer<(typeof VAULT_ROUTES)["drift"]["show"]>;
type Findings = Answer<(typeof VAULT_ROUTES)["drift"]["findings"]>;
type Repair = Answer<(typeof VAULT_ROUTES)["drift"]["repair"]>;

const MOST_SHOWN = 100;

export const vaultVerify = command({
  name: "vault verify",
  says: {
    en: "Compares the database with cache and NAS and shows the differences; ends with 1 if there is one for which no repair is queued",
    ko: "데이터베이스를 캐시, NAS와 비교하고 차이를 보여 줍니다. 복구를 넣지 않은 차이가 있으면 종료 코드 1",
  },
  example: "andon vault verify --checksum",
  options: {
    checksum: {
      says: {
        en: "read every byte. Default: sizes alone",
        ko: "모든 바이트를 읽어 비교. 기본값: 크기만",
      },
    },
    follow: {
      says: {
        en: "start no new comparison: follow the latest one, or show what it found",
        ko: "새로 시작하지 않고 최근 비교를 이어서 보거나 그 결과를 보여 줌",
      },
    },
    repair: {
      says: {
        en: "ask, then queue repairs of the findings that can be repaired",
        ko: "확인을 받은 뒤 복구할 수 있는 차이의 복구를 큐에 넣음",
      },
    },
    yes: { says: HELP.yes },
    ...reasonOption,
    page: pagingOptions.page,
    limit: {
      ...pagingOptions.limit,
      says: {
        en: "how many findings on a page, at most 100. Default: 100",
        ko: "한 쪽에 보일 차이의 수, 최대 100. 기본값: 100",
      },
    },
  },
  async run(use) {
    const { options, out } = use;
    const vault = use.clientOf(VAULT_ROUTES);
    if (options.repair && !options.yes) needTerminal(use);
    const begun = options.follow
      ? await vault.drift.show({ id: "latest" })
      : await vault.drift.start({ checksum: options.checksum });
    const run = await untilEnded(use, begun);
    if (run.state === "FAILED")
      throw new Failure(EXIT.refused, VAULT.verifyFailed, { problem: run.error ?? "" });
    const page = { page: options.page, limit: options.limit ?? MOST_SHOWN };
    const findings = await vault.drift.findings({ id: run.id, ...page });
    if (!options.repair || run.findings === 0) {
      out.answer({ run, findings, repair: null }, () => shown(out, run, findings));
      return run.findings > 0 && !allRepaired(findings) ? EXIT.refused : EXIT.ok;
    }
    if (!options.yes) {
      out.aside(`${shown(out, run, findings)}\n${out.say(VAULT.repairing)}`);
      if (!(await isConfirmed(use))) {
        out.note(WORDS.notApplied);
        return EXIT.refused;
      }
    }
    const repair: Repair = await vault.drift.repair({ id: run.id, reason: options.reason });
    const told = () => out.say(VAULT.repaired, { queued: repair.queued, left: repair.left });
    const after = await vault.drift.findings({ id: run.id, ...page });
    out.answer({ run, findings: after, repair }, () =>
      options.yes ? `${shown(out, run, after)}\n${told()}` : told(),
    );
    return repair.left > 0 ? EXIT.refused : EXIT.ok;
  },
});

const LOOK_MS = 300;

/** Polls until the comparison has ended. It runs on the server, whether a client polls or not. */
async function untilEnded(
  { clientOf, out, shell }: Pick<Use, "clientOf" | "out" | "shell">,
  begun: Run,
): Promise<Run> {
  const signal = shell.interruption();
  const live = new LiveBlock(shell.stderr);
  let run = begun;
  try {
    while (run.state === "RUNNING") {
      live.show([out.say(VAULT.comparing, { files: run.filesChecked, findings: run.findings })]);
      await sleep(LOOK_MS, signal);
      run = await clientOf(VAULT_ROUTES).drift.show({ id: run.id });
    }
    return run;
  } finally {
    live.end();
    if (signal.aborted) out.note(VAULT.goesOn);
  }
}

function shown(out: Output, run: Run, findings: Findings): string {
  const { filesLeftOut: leftOut = 0 } = run;
  const facts = { files: run.filesChecked - leftOut, findings: run.findings };
  const compared = out.say(run.checksum ? VAULT.verifiedBytes : VAULT.verifiedSizes, facts);
  const head = leftOut > 0 ? `${compared} ${out.say(VAULT.leftOut, { count: leftOut })}` : compared;
  if (run.findings === 0) return out.paint(leftOut > 0 ? "yellow" : "green", head);
  const rows = out.table(
    [
      { head: out.say(WORDS.kind), of: ({ kind }) => kind, colour: () => "red" },
      { head: out.say(VAULT.path), of: ({ path }) => path, isLong: true },
      { head: out.say(VAULT.expected), of: ({ expected }) => JSON.stringify(expected), isLong: true },
      { head: out.say(VAULT.found), of: ({ found }) => JSON.stringify(found), isLong: true },
      {
        head: out.say(VAULT.repair),
        of: ({ repair, repairedBy }) => (repairedBy === null ? repair : `${repair} ✓`),
      },
    ],
    findings.items,
  );
  const count = findings.items.filter(isRepairable).length;
  const hint = count > 0 ? [out.say(VAULT.repairWith, { count })] : [];
  return [rows, ...pageNote(out, findings), head, ...hint].join("\n");
}

function isRepairable({ repair, repairedBy }: Findings["items"][number]): boolean {
  return repair !== "NONE" && repairedBy === null;
}

/** Whether this page holds every finding, and each has its repair queued. */
function allRepaired({ total, items }: Findings): boolean {
  return items.length === total && items.every(({ repairedBy }) => repairedBy !== null);
}

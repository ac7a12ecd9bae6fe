import type { RunningServer, Settings } from "@andon/server";
import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";
import type { Output } from "../terminal/output.ts";
import { serverEnvironment } from "../terminal/server-environment.ts";

export const start = command({
  name: "start",
  says: {
    en: "Runs a server with the settings of this folder and of the environment; a signal shuts it down gracefully",
    ko: "이 폴더와 환경 변수의 설정으로 서버를 실행합니다. 시그널을 받으면 정상 종료합니다",
  },
  example: "andon start --roles work,deliver --queues {queue}",
  options: {
    config: { says: HELP.config, value: "file" },
    roles: {
      says: {
        en: "what this process does, separated by commas: api, work, deliver, watch. Default: all",
        ko: "이 프로세스의 역할, 쉼표로 구분: api, work, deliver, watch. 기본값: 전체",
      },
      value: "list",
    },
    queues: {
      says: {
        en: "the queues that this process works, separated by commas. Default: all that have a handler",
        ko: "이 프로세스가 처리할 큐, 쉼표로 구분. 기본값: 핸들러가 있는 모든 큐",
      },
      value: "list",
    },
  },
  async run({ options, shell, out, server, installed }) {
    const { closeOnSignals, loadSettings, startServer } = await server();
    const env = serverEnvironment(shell.env, options);
    const loaded = await loadSettings(env, shell.folder, await installed());
    const names = options.queues?.split(",").map((name) => name.trim());
    const settings = names ? workedOnly(loaded, names) : loaded;
    const starting = startServer(settings);
    const ended = closeOnSignals(starting, settings);
    const running = await starting;
    if (names) await refuseUnknown(running, names);
    tell(running, settings, out);
    await ended;
    return EXIT.ok;
  },
});

function tell({ url, consoleLink }: RunningServer, { roles }: Settings, out: Output): void {
  if (url) out.line(out.say(WORDS.serverListens, { url }));
  else out.line(out.say(WORDS.serverRuns, { roles: roles.join(", ") }));
  if (consoleLink) out.line(out.say(WORDS.consoleLink, { url: consoleLink }));
}

/** The settings without the handlers of all other queues, which other processes work. */
function workedOnly(settings: Settings, names: readonly string[]): Settings {
  const only = <Queue extends object>(queues: Readonly<Record<string, Queue>>) =>
    Object.fromEntries(
      Object.entries(queues).map(([name, queue]) => [
        name,
        names.includes(name) ? queue : withoutHandler(queue),
      ]),
    );
  const apps = settings.apps.map((app) => {
    const { queues } = app;
    return queues ? { ...app, queues: (site: Parameters<typeof queues>[0]) => only(queues(site)) } : app;
  });
  return { ...settings, queues: only(settings.queues), apps };
}

function withoutHandler<Queue extends object>(queue: Queue): Queue {
  const { handler: _, ...rest } = queue as Queue & { handler?: unknown };
  return rest as Queue;
}

/** Refuses an unknown queue, because the process would stay idle without a message. */
async function refuseUnknown(server: RunningServer, names: readonly string[]): Promise<void> {
  const known = [...server.site.queues.keys()];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  await server.close();
  throw new Failure(EXIT.usage, WORDS.unknownQueues, { given: unknown.join(", "), known: known.join(", ") });
}

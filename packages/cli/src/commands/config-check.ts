import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { serverEnvironment } from "../terminal/server-environment.ts";
import { onOneLine } from "../terminal/width.ts";

export const configCheck = command({
  name: "config check",
  says: {
    en: "Checks the settings of this folder and of the environment, as `andon start` does; ends with 1 if they cannot be used",
    ko: "이 폴더와 환경 변수의 설정을 `andon start`처럼 검사합니다. 사용할 수 없으면 종료 코드 1",
  },
  example: "andon config check",
  options: {
    config: { says: HELP.config, value: "file" },
  },
  async run({ options, out, shell, language, server, installed }) {
    const { loadSettings, SettingsError } = await server();
    try {
      const env = serverEnvironment(shell.env, options);
      const settings = await loadSettings(env, shell.folder, await installed());
      const { host, port, roles, queues, apps } = settings;
      const answer = {
        valid: true,
        problems: [],
        host,
        port,
        roles,
        queues: Object.keys(queues),
        apps: apps.map(({ name }) => name),
      };
      out.answer(answer, () => {
        const facts = out.list([
          [out.say(WORDS.listensOn), `${host}:${port}`],
          [out.say(WORDS.store), settings.store.split(":")[0]],
          [out.say(WORDS.roles), roles.join(", ")],
          [out.say(WORDS.queuesOf), answer.queues.join(", ")],
          [out.say(WORDS.apps), answer.apps.join(", ")],
        ]);
        return `${out.paint("green", out.say(WORDS.settingsGood))}\n${facts}`;
      });
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      const problems = error.problems.map((problem) => ({ ...problem, text: problem.text[language] }));
      out.answer({ valid: false, problems }, () => {
        const lines = error.lines(language).map((line) => `  ${onOneLine(line)}`);
        return [out.paint("red", out.say(WORDS.settingsBad)), ...lines].join("\n");
      });
      return EXIT.refused;
    }
  },
});

import { SHELLS, scriptFor } from "../completion/scripts.ts";
import { command } from "../terminal/command.ts";

export const completion = command({
  name: "completion",
  says: {
    en: "Writes a script that completes this command in a shell",
    ko: "셸에서 이 명령을 자동 완성하는 스크립트를 출력합니다",
  },
  example: "andon completion bash > /etc/bash_completion.d/andon",
  given: { shell: { says: { en: "bash, zsh or fish", ko: "bash, zsh 또는 fish" }, choices: SHELLS } },
  async run({ given, commands, language, out }) {
    out.line(scriptFor(given.shell, commands, language));
    return undefined;
  },
});

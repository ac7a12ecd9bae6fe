import type { CompletedCommand } from "./completed-words.ts";

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Fish takes one line per word, with the condition under which it is offered. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, words, options, choices }) => {
    const when = `-n ${quoted(`__andon_at ${path.join(" ")}`.trim())}`;
    const values = choices.filter(({ flag }) => flag === null).flatMap((choice) => choice.values);
    return [
      ...words.map(({ word, says }) => `complete -c andon ${when} -f -a ${quoted(word)} -d ${quoted(says)}`),
      ...values.map((word) => `complete -c andon ${when} -f -a ${quoted(word)}`),
      ...options.map(({ word, says }) => {
        const choice = choices.find(({ flag }) => flag === word);
        const taken = choice ? ` -x -a ${quoted(choice.values.join(" "))}` : "";
        return `complete -c andon ${when} -l ${word.slice(2)} -d ${quoted(says)}${taken}`;
      }),
    ];
  });
  const groups = commands.filter(({ path, words }) => path.length === 1 && words.length > 0);
  return `# fish completion of andon
function __andon_at
  set -l command
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    if test (count $command) -eq 0
      set command $word
    else
      contains -- $command[1] ${groups.map(({ path }) => path[0]).join(" ")}; and set -a command $word
      break
    end
  end
  test "$command" = "$argv"
end
${lines.join("\n")}`;
}

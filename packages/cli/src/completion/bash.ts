import type { CompletedCommand } from "./completed-words.ts";

/** The words before the one being typed name the command; options and their values are skipped. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ path, words, options, choices }) => {
    const values = choices.filter(({ flag }) => flag === null).flatMap((choice) => choice.values);
    const next = [...words.map(({ word }) => word), ...values, ...options.map(({ word }) => word)];
    return `    "${path.join(" ")}") words="${next.join(" ")}" ;;`;
  });
  const values = commands.flatMap(({ path, choices }) =>
    choices.flatMap(({ flag, values: each }) =>
      flag === null ? [] : [`    "${path.join(" ")} ${flag}") words="${each.join(" ")}" ;;`],
    ),
  );
  const groups = commands.filter(({ path, words }) => path.length === 1 && words.length > 0);
  return `# bash completion of andon
_andon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) continue ;; esac
    if [ -z "$command" ]; then
      command="$word"
    else
      case "$command" in ${groups.map(({ path }) => path[0]).join("|")}) command="$command $word" ;; esac
      break
    fi
  done
  case "$command $previous" in
${values.join("\n")}
  esac
  if [ -z "$words" ]; then
    case "$command" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _andon andon`;
}

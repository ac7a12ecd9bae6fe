import type { CompletedCommand, CompletedWord } from "./completed-words.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const described = ({ word, says }: CompletedWord) => quoted(`${word.replaceAll(":", "\\:")}:${says}`);

export function zshScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ path, words, options, choices }) => {
    const values = choices
      .filter(({ flag }) => flag === null)
      .flatMap((choice) => choice.values.map((word) => ({ word, says: word })));
    return `    ${quoted(path.join(" "))}) words_to_offer=(${[...words, ...values, ...options].map(described).join(" ")}) ;;`;
  });
  const values = commands.flatMap(({ path, choices }) =>
    choices.flatMap(({ flag, values: each }) =>
      flag === null
        ? []
        : [`    ${quoted(`${path.join(" ")} ${flag}`)}) words_to_offer=(${each.map(quoted).join(" ")}) ;;`],
    ),
  );
  const groups = commands.filter(({ path, words }) => path.length === 1 && words.length > 0);
  return `#compdef andon
# zsh completion of andon
_andon() {
  local command="" word i
  local -a words_to_offer
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$word" in -*) continue ;; esac
    if [[ -z "$command" ]]; then
      command="$word"
    else
      case "$command" in ${groups.map(({ path }) => path[0]).join("|")}) command="$command $word" ;; esac
      break
    fi
  done
  case "$command \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  if (( \${#words_to_offer} == 0 )); then
    case "$command" in
${cases.join("\n")}
    esac
  fi
  _describe andon words_to_offer
}
compdef _andon andon`;
}

/**
 * The completion scripts. They query ferry, so an installed script never becomes outdated, and treat the reply as data:
 * nothing from ferry or from the command line is ever evaluated.
 */
import type { Shell } from './ShellQuoting.js';

/** The script of a shell, identical to the file in `completions/`. */
export function of(shell: Shell): string {
  return scripts[shell];
}

/**
 * bash inserts candidates verbatim, so ferry quotes them. compgen -W would expand them. Features that bash lacks before
 * 4.0 are avoided.
 */
const bash = `# Completion of ferry for bash. Written by ferry: ferry completion bash
# Needs no bash-completion. Source it, or put it where bash-completion looks: ferry completion install bash

_ferry() {
  local how='' line
  COMPREPLY=()
  {
    IFS= read -r how
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <(command ferry __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  compopt -o nosort 2>/dev/null
  if [[ $how == *open* ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ $how == *files* ]]; then compopt -o bashdefault -o default 2>/dev/null; fi
} 2>/dev/null

complete -F _ferry ferry
`;

/** compadd quotes what it inserts and does not split lists. */
const zsh = `#compdef ferry
# Completion of ferry for zsh. Written by ferry: ferry completion zsh
# Put it into a folder of $fpath as _ferry, or source it after compinit: ferry completion install zsh

_ferry() {
  local how line value about tab=$'\\t' width=0 found=1
  local -a answer values texts opens openTexts options expl
  answer=("\${(@f)$(command ferry __complete zsh "\${(@)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  how=$answer[1]
  answer[1]=()
  for line in "\${(@)answer}"; do
    value=\${line%%$tab*}
    (( $#value > width )) && width=$#value
    [[ -n \${line#*$tab} ]] && options=(-l)
  done
  for line in "\${(@)answer}"; do
    value=\${line%%$tab*}
    about="\${(r:$width:)value}  \${line#*$tab}"
    # A description that would wrap is cut at the end of its line.
    about=\${about[1,COLUMNS-1]}
    if [[ -z $value ]]; then
      continue
    elif [[ $value == *[/.=] ]]; then
      opens+=("$value")
      openTexts+=("$about")
    else
      values+=("$value")
      texts+=("$about")
    fi
  done
  if (( $#opens )); then
    _wanted -V words expl ferry compadd "\${(@)options}" -S '' -d openTexts -a opens && found=0
  fi
  if (( $#values )); then
    _wanted -V words expl ferry compadd "\${(@)options}" -d texts -a values && found=0
  fi
  if [[ $how == *files* ]]; then
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    _files && found=0
  fi
  return found
}

# Run by the completion system, or sourced.
if [[ $funcstack[1] == _ferry ]]; then
  _ferry "$@"
elif (( $+functions[compdef] )); then
  compdef _ferry ferry
fi
`;

/** fish treats each line as a candidate with its description after a tab, and quotes what it inserts. */
const fish = `# Completion of ferry for fish. Written by ferry: ferry completion fish
# Put it into ~/.config/fish/completions: ferry completion install fish

function __ferry_ask
    command -q ferry; or return 1
    set -l word (commandline -ct)
    set -l answer (command ferry __complete fish (commandline -opc) "$word" 2>/dev/null)
    set -g __ferry_candidates $answer[2..-1]
    not string match -q '*files*' -- "$answer[1]"
end

# Where files belong the condition does not hold, and fish offers them by itself.
complete -c ferry -e
complete -c ferry -k -f -n __ferry_ask -a '$__ferry_candidates'
`;

/** The line in every script by which ferry recognizes its own files. */
const mark = /^# Completion of ferry for (bash|zsh|fish)\. Written by ferry: /m;

/** Whether any version of ferry wrote a file. */
export function isOwn(text: string): boolean {
  return mark.test(text);
}

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

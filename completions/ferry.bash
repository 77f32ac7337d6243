# Completion of ferry for bash. Written by ferry: ferry completion bash
# Needs no bash-completion. Source it, or put it where bash-completion looks: ferry completion install bash

_ferry() {
  local how='' line
  COMPREPLY=()
  {
    IFS= read -r how
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <(command ferry __complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  compopt -o nosort 2>/dev/null
  if [[ $how == *open* ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ $how == *files* ]]; then compopt -o bashdefault -o default 2>/dev/null; fi
} 2>/dev/null

complete -F _ferry ferry

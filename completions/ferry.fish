# Completion of ferry for fish. Written by ferry: ferry completion fish
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

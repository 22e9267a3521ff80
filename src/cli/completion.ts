import { defineCommand } from './define-command.js'
import { writeOut } from './stdout.js'

/**
 * One script for both shells, which looks in which it runs: SHELL names the one somebody logged in with. The library that
 * reads our commands finds the completions, and takes from SHELL whether to describe them.
 */
const SCRIPT = `#compdef earshot
if [ -n "\${ZSH_VERSION-}" ]; then
  _earshot() {
    local reply
    local IFS=$'\\n'
    reply=($(SHELL=zsh COMP_CWORD="$((CURRENT-1))" COMP_LINE="$BUFFER" COMP_POINT="$CURSOR" earshot --get-yargs-completions "\${words[@]}"))
    unset IFS
    if [ \${#reply[@]} -gt 0 ]; then
      _describe 'values' reply
    else
      _default
    fi
  }
  # In a folder of fpath the file is loaded as the function itself; its first use completes at once.
  if [ "\${zsh_eval_context[-1]}" = loadautofunc ]; then
    _earshot "$@"
  else
    # A shell that has not loaded completion has no compdef.
    command -v compdef >/dev/null || { autoload -Uz compinit && compinit; }
    compdef _earshot earshot
  fi
else
  _earshot() {
    local found
    mapfile -t found < <(SHELL=bash earshot --get-yargs-completions "\${COMP_WORDS[@]}")
    mapfile -t COMPREPLY < <(compgen -W "$(printf '%q ' "\${found[@]}")" -- "\${COMP_WORDS[COMP_CWORD]}")
  }
  complete -o bashdefault -o default -F _earshot earshot
fi
`

/** `earshot completion` */
export const completionCommand = defineCommand({
  command: 'completion',
  describe: 'Print a completion script for bash and zsh',
  builder: yargs =>
    yargs
      .example('$0 completion > ~/.zsh/functions/_earshot', 'in a folder of zsh’s fpath')
      .example('source <($0 completion)', 'in this shell; in ~/.bashrc or ~/.zshrc for every one'),
  handler: async () => await writeOut(SCRIPT),
})

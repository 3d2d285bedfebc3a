/** Shell completion, generated from the command definitions so that it is always up to date. */
import type { Command } from 'commander';

interface CommandNode {
  readonly name: string;
  readonly about: string;
  readonly verbs: readonly string[];
  readonly options: readonly {
    readonly flag: string;
    readonly about: string;
    readonly choices: readonly string[];
  }[];
}

export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const commands = program.commands.map(commandTree);
  if (shell === 'fish') return fish(commands);
  const script = bash(commands);
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function commandTree(command: Command): CommandNode {
  const options = command.options.filter((option) => option.long && !option.hidden);
  return {
    name: command.name(),
    about: command.description(),
    verbs: command
      .createHelp()
      .visibleCommands(command)
      .map((verb) => verb.name()),
    options: options.map((option) => ({
      flag: option.long!,
      about: option.description,
      choices: option.argChoices ?? [],
    })),
  };
}

function bash(commands: readonly CommandNode[]): string {
  const cases = commands.map(
    (command) => `    ${command.name}) words="${command.options.map((o) => o.flag).join(' ')} --help" ;;`,
  );
  const reply = (list: readonly string[]) =>
    `COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$word")); return ;;`;
  const choices = commands.flatMap((command) =>
    command.options
      .filter((option) => option.choices.length > 0)
      .map((option) => `    '${command.name} ${option.flag}') ${reply(option.choices)}`),
  );
  const verbs = commands
    .filter((command) => command.verbs.length > 0)
    .map((command) => `      ${command.name}) ${reply(command.verbs)}`);
  return `_seine() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  case "\${COMP_WORDS[1]} $before" in
${choices.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((c) => c.name).join(' ')} help --help --version" -- "$word")); return
  fi
  if [ "$COMP_CWORD" -eq 2 ] && [ "\${word#-}" = "$word" ]; then
    case "\${COMP_WORDS[1]}" in
${verbs.join('\n')}
    esac
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "\${COMP_WORDS[1]}" = completion ]; then words="bash zsh fish $words"; fi
  case "\${COMP_WORDS[1]} $word" in
    *' '-* | completion*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _seine seine
`;
}

function fish(commands: readonly CommandNode[]): string {
  const lines = ['complete -c seine -n __fish_use_subcommand -f'];
  for (const command of commands) {
    lines.push(`complete -c seine -n __fish_use_subcommand -a ${command.name} -d ${quote(command.about)}`);
    if (command.verbs.length > 0)
      lines.push(
        `complete -c seine -n '__fish_seen_subcommand_from ${command.name}' -f -a ${quote(command.verbs.join(' '))}`,
      );
    for (const { flag, about, choices } of command.options) {
      const values = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : '';
      lines.push(
        `complete -c seine -n '__fish_seen_subcommand_from ${command.name}' -l ${flag.slice(2)}${values} -d ${quote(about)}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (c) => `\\${c}`)}'`;
}

import { Argument, Command } from 'commander';

export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
  bash:  eval "$(seine completion bash)"      in ~/.bashrc
  zsh:   eval "$(seine completion zsh)"       in ~/.zshrc
  fish:  seine completion fish > ~/.config/fish/completions/seine.fish`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../completion-script.ts');
      process.stdout.write(completionScript(shell, program));
    });
}

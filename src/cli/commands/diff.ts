import { Command, Option } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import { FAIL_ON } from '../output/differences.ts';
import type { DiffFlags } from '../results/show-diff.ts';

export function diffCommand(exit: SetExitCode): Command {
  const command = new Command('diff')
    .description(
      'what is new, gone and moved between two scans, and whether the data or the rules are the cause',
    )
    .argument('[before]', 'number of the first scan; alone: it is compared with the one before it')
    .argument('[after]', 'number of the second scan (default: the last two of the same source)')
    .option('--limit <number>', 'differences shown (default 200; --json shows all)')
    .addOption(new Option('--fail-on <change>', 'exit with 3 when there is such a change').choices(FAIL_ON));
  return withCommonOptions(command).action(
    async (before: string | undefined, after: string | undefined, flags: DiffFlags) => {
      const { showDiff } = await import('../results/show-diff.ts');
      if (await showDiff(before, after, flags)) exit(EXIT.findings);
    },
  );
}

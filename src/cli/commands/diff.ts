import { Command, Option } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import { FAIL_ON } from '../output/differences.ts';
import type { DiffFlags } from '../results/show-diff.ts';

export function diffCommand(exit: SetExitCode): Command {
  const command = new Command('diff')
    .description('show new, gone and moved findings between two scans, and whether data or rules changed')
    .argument('[before]', 'number of the first scan; if given alone, it is compared with the scan before it')
    .argument('[after]', 'number of the second scan (default: the last two scans of the same source)')
    .option('--limit <number>', 'maximum differences shown (default 200; --json shows all)')
    .addOption(
      new Option('--fail-on <change>', 'exit with 3 if there is a change of this kind').choices(FAIL_ON),
    );
  return withCommonOptions(command).action(
    async (before: string | undefined, after: string | undefined, flags: DiffFlags) => {
      const { showDiff } = await import('../results/show-diff.ts');
      if (await showDiff(before, after, flags)) exit(EXIT.findings);
    },
  );
}

import { Command } from 'commander';
import type { SetExitCode } from '../../exit-code.ts';
import { type CommonFlags, collect, packOption, withCommonOptions } from '../../options.ts';

interface WhatIfFlags extends CommonFlags {
  readonly rules?: string;
  readonly pack?: string[];
  readonly objects?: boolean;
  readonly failOn?: string[];
}

export function whatIfCommand(exit: SetExitCode): Command {
  const command = new Command('whatif')
    .description('what a scan would have said under other rules; no data is read')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)')
    .option('--rules <file>', 'rule set in YAML to try')
    .addOption(packOption('only the detectors of a pack; may be repeated'))
    .option('--objects', 'list each object that changes or must be read again')
    .option(
      '--fail-on <tier-or-type>',
      'exit with 3 when there would be such a finding: a tier (HIGH means HIGH and above), a type (SSN) or a policy; may be repeated',
      collect,
    )
    .addHelpText(
      'after',
      `
Thresholds, weights, detectors that are switched off, paths and policies are judged again from what the scan wrote down, exactly. What
needs the data itself (a detector that was off, a new one, values below the floor) is named, with the objects.

Exit codes: 0 the answer is complete · 1 error, or some objects must be read again · 2 wrong usage · 3 findings as in --fail-on`,
    );
  return withCommonOptions(command).action(async (id: string | undefined, flags: WhatIfFlags) => {
    const { runWhatIf } = await import('../../rules/run-whatif.ts');
    exit(await runWhatIf(id, flags));
  });
}

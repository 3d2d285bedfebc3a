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
    .description('re-evaluate a scan with other rules, without reading data')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)')
    .option('--rules <file>', 'rule set (YAML) to evaluate')
    .addOption(packOption('only the detectors of a pack; repeatable'))
    .option('--objects', 'list each object that changes or must be read again')
    .option(
      '--fail-on <tier-or-type>',
      'exit with 3 if there would be a finding of a tier (HIGH means HIGH and above), a type (SSN) or a policy; repeatable',
      collect,
    )
    .addHelpText(
      'after',
      `
Thresholds, weights, disabled detectors, paths and policies are re-evaluated exactly, from the stored results. Changes that need the
data itself (a newly enabled or new detector, values below the stored threshold) are listed with the objects concerned.

Exit codes: 0 complete · 1 error, or some objects must be read again · 2 usage error · 3 findings as in --fail-on`,
    );
  return withCommonOptions(command).action(async (id: string | undefined, flags: WhatIfFlags) => {
    const { runWhatIf } = await import('../../rules/run-whatif.ts');
    exit(await runWhatIf(id, flags));
  });
}

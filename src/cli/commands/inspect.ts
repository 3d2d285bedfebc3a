import { Command } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, packOption, withCommonOptions } from '../options.ts';

interface InspectFlags extends CommonFlags {
  readonly rules?: string;
  readonly pack?: string[];
  readonly maxFindings?: string;
}

export function inspectCommand(exit: SetExitCode): Command {
  const command = new Command('inspect')
    .description('one file: its findings, why, and what it would score; nothing is stored')
    .argument('<file>', 'the file, or - for standard input')
    .option('--rules <file>', 'rule set in YAML')
    .option('--max-findings <number>', 'findings shown for each type; counts stay exact', '1000')
    .addOption(packOption('only the detectors of a pack; may be repeated'));
  return withCommonOptions(command).action(async (file: string, flags: InspectFlags) => {
    const { inspectFile } = await import('../inspect/inspect-file.ts');
    exit(await inspectFile(file, flags));
  });
}

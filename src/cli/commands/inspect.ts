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
    .description('show the findings and risk score of one file; nothing is stored')
    .argument('<file>', 'file, or - for standard input')
    .option('--rules <file>', 'rule set (YAML)')
    .option('--max-findings <number>', 'maximum findings shown for each type; counts stay exact', '1000')
    .addOption(packOption('only the detectors of a pack; repeatable'));
  return withCommonOptions(command).action(async (file: string, flags: InspectFlags) => {
    const { inspectFile } = await import('../inspect/inspect-file.ts');
    exit(await inspectFile(file, flags));
  });
}

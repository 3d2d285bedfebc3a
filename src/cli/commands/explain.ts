import { Command } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, packOption, withCommonOptions } from '../options.ts';

interface ExplainFlags extends CommonFlags {
  readonly at?: string;
  readonly part?: string;
  readonly read?: boolean;
  readonly rules?: string;
  readonly pack?: string[];
}

export function explainCommand(exit: SetExitCode): Command {
  const command = new Command('explain')
    .description('why a finding was reported, or why nothing was found at a place')
    .argument('<finding-or-object>', 'handle of a finding, such as 12-873-0; with --at a file or a URL')
    .option(
      '--at <place>',
      'a byte of the object (1204), or line:column (12:5): who looked there, and what refused',
    )
    .option('--part <name>', 'the part of the object that is meant, as in findings: "body", "gzip"')
    .option('--read', 'of a finding: read its object again and show the way to it')
    .option('--rules <file>', 'rule set in YAML, with --at')
    .addOption(packOption('with --at: only the detectors of a pack; may be repeated'))
    .addHelpText(
      'after',
      `
The handles stand at the end of each line of: seine findings. Values are always masked.`,
    );
  return withCommonOptions(command).action(async (what: string, flags: ExplainFlags) => {
    const { explain } = await import('../inspect/explain.ts');
    exit(await explain(what, flags));
  });
}

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
    .description('explain why a finding was reported, or why nothing was found at a position')
    .argument('<finding-or-object>', 'id of a finding, such as 12-873-0; with --at a file or a URL')
    .option(
      '--at <place>',
      'byte offset (1204) or line:column (12:5): which detectors ran there, and why they rejected',
    )
    .option('--part <name>', 'part of the object, as shown by seine findings: "body", "gzip"')
    .option('--read', 'read the object of the finding again and trace its detection')
    .option('--rules <file>', 'rule set (YAML), with --at')
    .addOption(packOption('with --at: only the detectors of a pack; repeatable'))
    .addHelpText(
      'after',
      `
The id is the last column of: seine findings. Values are always masked.`,
    );
  return withCommonOptions(command).action(async (what: string, flags: ExplainFlags) => {
    const { explain } = await import('../inspect/explain.ts');
    exit(await explain(what, flags));
  });
}

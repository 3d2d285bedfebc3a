import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { SeineError } from '../../base/errors.ts';
import type { RulesDecision, RulesNow } from '../../scans/resume.ts';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, configOf, readScanId, withCommonOptions } from '../options.ts';
import { type ResultFlags, withResultOptions } from '../result-options.ts';
import { readRules } from './scan.ts';

interface ResumeFlags extends CommonFlags, ResultFlags {
  readonly rules?: string;
  readonly rulesChanged?: Exclude<RulesDecision, null>;
}

export function resumeCommand(exit: SetExitCode): Command {
  const command = new Command('resume')
    .description('go on with an interrupted scan, exactly where it stopped')
    .argument('[scan]', 'number of the scan (default: the newest that has not ended)')
    .option('--rules <file>', 'the rule set, if it lies elsewhere now')
    .addOption(
      new Option(
        '--rules-changed <decision>',
        'if the rules changed meanwhile: finish under the old ones, or go on under the new ones',
      ).choices(['old', 'new']),
    );
  return withResultOptions(withCommonOptions(command)).action(
    async (id: string | undefined, flags: ResumeFlags) => {
      const { findResumable, resumeScan } = await import('../../scans/resume.ts');
      const { workAndShow } = await import('../work-and-show.ts');
      const config = configOf(flags);
      exit(
        await workAndShow(config, flags, async (app, jobs) => {
          const scan = await findResumable(app.db, config.tenant, id === undefined ? null : readScanId(id));
          // Under the old rules nobody needs the file: they are kept with the scan.
          const now = flags.rulesChanged === 'old' ? null : await rulesNow(flags.rules ?? scan.rulesFile);
          return resumeScan(app.db, jobs, scan, now, flags.rulesChanged ?? null);
        }),
      );
    },
  );
}

async function rulesNow(file: string | null): Promise<RulesNow> {
  try {
    return { ruleSet: await readRules(file ?? undefined), file: file === null ? null : resolve(file) };
  } catch (error) {
    if (!(error instanceof SeineError)) throw error;
    throw new SeineError(error.kind, error.message, {
      hint: `${error.hint ?? ''} Say where the rules are with --rules FILE, or finish under those the scan began with: --rules-changed old`.trim(),
    });
  }
}

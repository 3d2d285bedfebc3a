import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { SeineError } from '../../base/errors.ts';
import type { CurrentRules, RulesDecision } from '../../scans/lifecycle/resume-scan.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, configOf, parseScanId, withCommonOptions, withOldSpelling } from '../options.ts';
import { type ResultFlags, withResultOptions } from '../results/result-options.ts';

interface ResumeFlags extends CommonFlags, ResultFlags {
  readonly budget?: string;
  readonly wait?: boolean;
  readonly onThisHost?: boolean;
  readonly rules?: string;
  readonly rulesChanged?: Exclude<RulesDecision, null>;
}

export function resumeCommand(exit: SetExitCode): Command {
  const command = new Command('resume')
    .description('resume an interrupted or paused scan from its last checkpoint')
    .argument('[scan]', 'number of the scan (default: the newest that has not ended)')
    .option('--rules <file>', 'rule set (YAML), if the file has moved')
    .option('--budget <limits>', 'new limits; what was already spent counts')
    .option('--wait', 'in distributed mode: wait for the scan to end and show the report')
    .option(
      '--on-this-host',
      'in distributed mode: read the rest of a folder on this host, not on the one where the scan was started',
    )
    .addOption(
      new Option(
        '--rules-changed <decision>',
        'if the rules have changed: finish with the old or continue with the new ones',
      ).choices(['old', 'new']),
    );
  withOldSpelling(command, '--here', '--on-this-host');
  return withResultOptions(withCommonOptions(command)).action(
    async (id: string | undefined, flags: ResumeFlags) => {
      const { findResumable, resumeScan } = await import('../../scans/lifecycle/resume-scan.ts');
      const { resumeHostAffinity } = await import('../scans/resume-host.ts');
      const { chooseBaseline } = await import('../baselines/choose.ts');
      const { scanExecutor } = await import('../scans/scan-executor.ts');
      const { parseBudget } = await import('../../engine/budget/parse-budget.ts');
      const { raiseBudget } = await import('../../engine/budget/raise-budget.ts');
      const config = configOf(flags);
      const budget = flags.budget === undefined ? null : parseBudget(flags.budget);
      const executeScan = await scanExecutor(config, flags);
      exit(
        await executeScan(config, flags, async (app, jobs) => {
          await chooseBaseline(app, flags); // fails now, not after the scan
          const scan = await findResumable(app.db, config.tenant, id === undefined ? null : parseScanId(id));
          // The old rules are stored with the scan; the file is not needed.
          const now =
            flags.rulesChanged === 'old' ? null : await currentRules(flags.rules ?? scan.rulesFile, scan);
          // In single mode no other process could read the folder.
          const place = await resumeHostAffinity(
            app,
            scan,
            config.mode === 'single' || flags.onThisHost === true,
          );
          if (budget) await app.db.tx((tx) => raiseBudget(tx, scan.id, budget));
          return resumeScan(app.db, jobs, scan, now, flags.rulesChanged ?? null, place);
        }),
      );
    },
  );
}

/** The rules file as it is now, with the packs requested on the command line when the scan was started. */
async function currentRules(file: string | null, scan: ScanRow): Promise<CurrentRules> {
  const { loadRules } = await import('../scans/scan-request.ts');
  try {
    const ruleSet = loadRules(file ?? undefined, scan.ruleSet.packsAsked);
    return { ruleSet, file: file === null ? null : resolve(file) };
  } catch (error) {
    if (!(error instanceof SeineError)) throw error;
    throw new SeineError(error.kind, error.message, {
      hint: `${error.hint ?? ''} Pass the file with --rules FILE, or finish with the rules the scan was started with: --rules-changed old`.trim(),
    });
  }
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { codeOf, SeineError } from '../../base/errors.ts';
import { wholeNumber } from '../../config.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import type { Scope } from '../../scans/scope.ts';
import type { SetExitCode } from '../exit-code.ts';
import {
  type CommonFlags,
  collect,
  configOf,
  readPercent,
  readSince,
  readSize,
  withCommonOptions,
} from '../options.ts';
import { type ResultFlags, withResultOptions } from '../result-options.ts';

interface ScanFlags extends CommonFlags, ResultFlags {
  readonly include?: string[];
  readonly exclude?: string[];
  readonly ignoreFiles: boolean;
  readonly maxSize?: string;
  readonly modifiedSince?: string;
  readonly sample?: string;
  readonly rules?: string;
  readonly full?: boolean;
  readonly maxFindings: string;
}

export function scanCommand(exit: SetExitCode): Command {
  const command = new Command('scan')
    .description('scan a folder or a file and show what is in it')
    .argument('<target>', 'folder or file')
    .option('--include <glob>', 'only what matches; may be repeated', collect)
    .option('--exclude <glob>', 'leave out what matches; may be repeated', collect)
    .option('--no-ignore-files', 'look also at what .seineignore files leave out')
    .option('--max-size <size>', 'skip larger files, such as 100MB (they are listed as skipped)')
    .option('--modified-since <date>', 'only what was changed since a date or age, such as 2025-01-31 or 30d')
    .option('--sample <percent>', 'only a part of the files, the same ones each time')
    .option('--rules <file>', 'rule set in YAML: detectors, thresholds, weights, paths')
    .option('--full', 'read everything, also what has not changed since the last scan')
    .option('--max-findings <number>', 'findings kept for each object and type; counts stay exact', '1000');
  return withResultOptions(withCommonOptions(command)).action(async (target: string, flags: ScanFlags) => {
    const { startScan } = await import('../../scans/start.ts');
    const { openSource } = await import('../../sources/open.ts');
    const { readScan } = await import('../../scans/scan-store.ts');
    const { workAndShow } = await import('../work-and-show.ts');
    const config = configOf(flags);
    const scope = scopeOf(flags);
    openSource(target, scope); // a wrong path is told before anything is started
    const rules = await readRules(flags.rules);
    const request = {
      tenant: config.tenant,
      target,
      scope,
      rules,
      rulesFile: flags.rules === undefined ? null : resolve(flags.rules),
      full: flags.full === true,
      keepEach: wholeNumber('--max-findings', flags.maxFindings, 1000, 1, 1_000_000_000),
    };
    exit(
      await workAndShow(config, flags, async (app, jobs) => {
        const id = await startScan(app.db, jobs, request);
        return (await readScan(app.db, id))!;
      }),
    );
  });
}

function scopeOf(flags: ScanFlags): Scope {
  return {
    include: flags.include ?? [],
    exclude: flags.exclude ?? [],
    ignoreFile: flags.ignoreFiles,
    ...(flags.maxSize !== undefined && { maxSize: readSize('--max-size', flags.maxSize) }),
    ...(flags.modifiedSince !== undefined && {
      modifiedSince: readSince('--modified-since', flags.modifiedSince),
    }),
    ...(flags.sample !== undefined && { sample: readPercent('--sample', flags.sample) }),
  };
}

export async function readRules(file: string | undefined): Promise<RuleSet> {
  const { DEFAULT_RULES } = await import('../../governance/rule-set.ts');
  if (file === undefined) return DEFAULT_RULES;
  const { catalogue } = await import('../../detection/detectors/catalogue.ts');
  const { parseRuleSet } = await import('../../governance/rule-file.ts');
  return parseRuleSet(
    readText(file),
    file,
    catalogue.map((detector) => detector.id),
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`;
    throw new SeineError('usage', `The rule file ${file} ${why}.`, { cause: error });
  }
}

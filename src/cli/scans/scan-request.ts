/** The scan request of `seine scan`, from its flags and the configuration. All input is validated before anything is started. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openSecret } from '../../app.ts';
import { codeOf, SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { settingsFor } from '../../config/source-config.ts';
import { type Config, parseWholeNumber } from '../../config.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { setBudget } from '../../engine/budget/budget-store.ts';
import { parseBudget } from '../../engine/budget/parse-budget.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { findPack, PACK_NAMES } from '../../governance/packs/packs.ts';
import { withRequestedPacks } from '../../governance/packs/with-packs.ts';
import { parseRuleSet } from '../../governance/rule-file.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { ensureOcr } from '../../scans/detect/extraction-options.ts';
import type { HookSettings } from '../../scans/hooks/hook.ts';
import { addHooks } from '../../scans/hooks/hook-store.ts';
import type { Scope } from '../../scans/lifecycle/scope.ts';
import type { ScanRequest } from '../../scans/lifecycle/start-scan.ts';
import type { Access } from '../../sources/access.ts';
import { openSource } from '../../sources/open.ts';
import { parsePercent, parseSince, parseSize } from '../options.ts';

export interface RequestFlags {
  readonly include?: string[];
  readonly exclude?: string[];
  readonly ignoreFiles: boolean;
  readonly maxSize?: string;
  readonly modifiedSince?: string;
  readonly sample?: string;
  readonly rules?: string;
  readonly pack?: string[];
  readonly full?: boolean;
  readonly maxFindings: string;
  readonly budget?: string;
  readonly priority?: string;
  readonly webhook?: string[];
  readonly export?: string[];
}

export async function scanRequest(target: string, flags: RequestFlags, config: Config): Promise<ScanRequest> {
  const scope = scopeOf(flags);
  const rules = loadRules(flags.rules, flags.pack);
  await ensureOcr(rules);
  const source = settingsFor(config, target);
  await checkTarget(target, scope, source ? { settings: source.settings } : {});
  const budgetText = flags.budget ?? config.budget;
  const budget = budgetText === undefined ? null : parseBudget(budgetText);
  const hooks = await hooksOf(flags, config);
  return {
    tenant: config.tenant,
    target,
    scope,
    rules,
    rulesFile: flags.rules === undefined ? null : resolve(flags.rules),
    full: flags.full === true,
    maxFindingsPerType: parseWholeNumber('--max-findings', flags.maxFindings, 1000, 1, 1_000_000_000),
    priority: parseWholeNumber('--priority', flags.priority, 0, -1000, 1000),
    maxConcurrency: source?.cap ?? null,
    ...(source && { settings: source.settings }),
    also: async (tx, scan) => {
      if (budget) await setBudget(tx, scan, budget);
      if (hooks.length > 0) await addHooks(tx, scan, hooks);
    },
  };
}

/** Fails within seconds on a wrong path, bucket or credential; a worker would only fail after many retries. */
async function checkTarget(target: string, scope: Scope, access: Access): Promise<void> {
  const source = await openSource(target, scope, { ...access, retryTimeoutMs: 3000 });
  await source.page?.(FULL_RANGE, 1, new AbortController().signal);
}

/** Imports the hook code only if there are hooks: most scans have none. */
async function hooksOf(flags: RequestFlags, config: Config): Promise<HookSettings[]> {
  if (config.hooks.length === 0 && !flags.webhook && !flags.export) return [];
  const { hooksFromConfig, hooksFromFlags, sealedHooks } = await import(
    '../../scans/hooks/hooks-from-flags.ts'
  );
  const place = hostAffinity();
  const hooks = [
    ...hooksFromConfig(config.hooks, place),
    ...hooksFromFlags(flags, { env: process.env, place }),
  ];
  return sealedHooks(hooks, openSecret(config));
}

function scopeOf(flags: RequestFlags): Scope {
  return {
    include: flags.include ?? [],
    exclude: flags.exclude ?? [],
    ignoreFile: flags.ignoreFiles,
    ...(flags.maxSize !== undefined && { maxSize: parseSize('--max-size', flags.maxSize) }),
    ...(flags.modifiedSince !== undefined && {
      modifiedSince: parseSince('--modified-since', flags.modifiedSince),
    }),
    ...(flags.sample !== undefined && { sample: parsePercent('--sample', flags.sample) }),
  };
}

/** `packs`: requested on the command line, in addition to those of the rules file. */
export function loadRules(file: string | undefined, packs: readonly string[] = []): RuleSet {
  const rules = file === undefined ? DEFAULT_RULES : parseRuleSet(readText(file), file, catalogue);
  const names = packs.flatMap((text) => text.split(',')).map((name) => name.trim());
  for (const name of names) {
    if (findPack(name) !== null) continue;
    throw new SeineError('usage', `No pack "${name}".`, {
      hint: didYouMean(name, PACK_NAMES, `Packs: ${PACK_NAMES.join(', ')}.`),
    });
  }
  return names.length === 0 ? rules : withRequestedPacks(rules, names, catalogue);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`;
    throw new SeineError('usage', `The rule file ${file} ${why}.`, { cause: error });
  }
}

/** `seine whatif`: re-evaluates a scan with other rules. */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { KeyCipher } from '../../base/sealed-key.ts';
import { describeRuleChange } from '../../governance/rule-change.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { keyJson } from '../../scans/results/finding-json.ts';
import { isComplete, type ObjectChange, type WhatIf, whatIf } from '../../scans/whatif/what-if.ts';
import { EXIT } from '../exit-code.ts';
import type { CommonFlags } from '../options.ts';
import { detectTerminalStyle, paint, type TerminalStyle, TIER_STYLES } from '../output/terminal-style.ts';
import { renderWhatIf, type WhatIfResult } from '../output/what-if.ts';
import { failOnOf, mustFail } from '../results/result-options.ts';
import { loadRules } from '../scans/scan-request.ts';
import { standardOutput } from '../standard-output.ts';
import { chooseScan, withApp } from '../with-app.ts';
import { knownNames } from './known-names.ts';

export interface WhatIfRequest extends CommonFlags {
  readonly rules?: string;
  readonly pack?: string[];
  readonly objects?: boolean;
  readonly failOn?: string[];
}

export async function runWhatIf(id: string | undefined, flags: WhatIfRequest): Promise<number> {
  const rules = newRules(flags);
  const failOn = failOnOf(flags, () => knownNames(rules));
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  return withApp(flags, async (app) => {
    const scan = await chooseScan(app, id, flags);
    const each = flags.objects ? printer(style, flags) : undefined;
    const answer = await whatIf(app.db, scan, rules, each, new KeyCipher(app.secret));
    const changes = describeRuleChange(scan.ruleSet, rules);
    const tried: WhatIfResult = { scan, rules: nameOf(flags), changes, answer };
    if (flags.json) process.stdout.write(`${JSON.stringify(toJson(tried))}\n`);
    else process.stdout.write(`${flags.objects ? '\n' : ''}${renderWhatIf(tried, style)}`);
    if (mustFail(wouldReport(answer), failOn)) return EXIT.findings;
    return isComplete(answer) ? EXIT.done : EXIT.error;
  });
}

function newRules(flags: WhatIfRequest): RuleSet {
  if (flags.rules !== undefined || flags.pack !== undefined) return loadRules(flags.rules, flags.pack);
  throw new SeineError('usage', 'Specify --rules or --pack.', {
    hint: 'Pass --rules FILE, --pack NAME, or both.',
  });
}

function nameOf({ rules, pack }: WhatIfRequest): string {
  return [...(rules === undefined ? [] : [rules]), ...(pack ?? []).map((name) => `pack ${name}`)].join(', ');
}

function wouldReport({ after }: WhatIf): Parameters<typeof mustFail>[0] {
  return {
    tiers: after.tiers,
    types: Object.keys(after.types).map((detector) => ({ detector })),
    policies: Object.keys(after.policies).map((policy) => ({ policy })),
  };
}

/** Prints each change as it is found: there may be millions. */
function printer(style: TerminalStyle, { json }: WhatIfRequest): (change: ObjectChange) => void {
  return (change) => {
    if (standardOutput.failed) return;
    process.stdout.write(json ? `${JSON.stringify(changeJson(change))}\n` : `${changeLine(change, style)}\n`);
  };
}

function changeLine({ key, before, after, reread }: ObjectChange, style: TerminalStyle): string {
  const why = reread.length > 0 ? `  ${paint(style, 'yellow', 'must be read')}: ${reread.join('; ')}` : '';
  return `${level(before, style)} → ${level(after, style)}  ${displayKey(key)}${why}`;
}

function level(judgement: ObjectChange['before'], style: TerminalStyle): string {
  if (judgement?.tier == null) return 'none        ';
  return `${String(judgement.score).padStart(3)} ${paint(style, TIER_STYLES[judgement.tier], judgement.tier.padEnd(8))}`;
}

function changeJson({ key, ...change }: ObjectChange): object {
  return { ...keyJson(key), ...change };
}

function toJson({ scan, rules, changes, answer }: WhatIfResult): object {
  const { before, after, changed, reread } = answer;
  return { scan: scan.id, rules, changes, before, after, changed, reread, complete: isComplete(answer) };
}

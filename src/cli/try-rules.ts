/** `seine whatif`: a scan judged again by other rules. */
import { SeineError } from '../base/errors.ts';
import { displayKey } from '../base/key.ts';
import { KeySeal } from '../base/sealed-key.ts';
import { describeRuleChange } from '../governance/rule-change.ts';
import type { RuleSet } from '../governance/rule-set.ts';
import { keyJson } from '../scans/finding-json.ts';
import { isComplete, type ObjectChange, type WhatIf, whatIf } from '../scans/whatif/what-if.ts';
import { EXIT } from './exit-code.ts';
import { knownNames } from './known-names.ts';
import type { CommonFlags } from './options.ts';
import { type Look, lookOf, paint, TIER_STYLES } from './output/look.ts';
import { renderWhatIf, type Tried } from './output/what-if.ts';
import { failOnOf, mustFail } from './result-options.ts';
import { readRules } from './scan-request.ts';
import { standardOutput } from './standard-output.ts';
import { chooseScan, withApp } from './with-app.ts';

export interface WhatIfWish extends CommonFlags {
  readonly rules?: string;
  readonly pack?: string[];
  readonly objects?: boolean;
  readonly failOn?: string[];
}

export async function tryRules(id: string | undefined, flags: WhatIfWish): Promise<number> {
  const rules = newRules(flags);
  const failOn = failOnOf(flags, () => knownNames(rules));
  const look = lookOf(process.stdout, process.env, flags);
  return withApp(flags, async (app) => {
    const scan = await chooseScan(app, id, flags);
    const each = flags.objects ? printer(look, flags) : undefined;
    const answer = await whatIf(app.db, scan, rules, each, new KeySeal(app.secret));
    const changes = describeRuleChange(scan.ruleSet, rules);
    const tried: Tried = { scan, rules: nameOf(flags), changes, answer };
    if (flags.json) process.stdout.write(`${JSON.stringify(asJson(tried))}\n`);
    else process.stdout.write(`${flags.objects ? '\n' : ''}${renderWhatIf(tried, look)}`);
    if (mustFail(wouldReport(answer), failOn)) return EXIT.findings;
    return isComplete(answer) ? EXIT.done : EXIT.error;
  });
}

function newRules(flags: WhatIfWish): RuleSet {
  if (flags.rules !== undefined || flags.pack !== undefined) return readRules(flags.rules, flags.pack);
  throw new SeineError('usage', 'Which rules shall be tried?', {
    hint: 'Say --rules FILE, --pack NAME, or both.',
  });
}

function nameOf({ rules, pack }: WhatIfWish): string {
  return [...(rules === undefined ? [] : [rules]), ...(pack ?? []).map((name) => `pack ${name}`)].join(', ');
}

function wouldReport({ after }: WhatIf): Parameters<typeof mustFail>[0] {
  return {
    tiers: after.tiers,
    types: Object.keys(after.types).map((detector) => ({ detector })),
    policies: Object.keys(after.policies).map((policy) => ({ policy })),
  };
}

/** A line as soon as it is known: there may be millions. */
function printer(look: Look, { json }: WhatIfWish): (change: ObjectChange) => void {
  return (change) => {
    if (standardOutput.failed) return;
    process.stdout.write(json ? `${JSON.stringify(changeJson(change))}\n` : `${changeLine(change, look)}\n`);
  };
}

function changeLine({ key, before, after, reread }: ObjectChange, look: Look): string {
  const why = reread.length > 0 ? `  ${paint(look, 'yellow', 'must be read')}: ${reread.join('; ')}` : '';
  return `${level(before, look)} → ${level(after, look)}  ${displayKey(key)}${why}`;
}

function level(judgement: ObjectChange['before'], look: Look): string {
  if (judgement?.tier == null) return 'nothing     ';
  return `${String(judgement.score).padStart(3)} ${paint(look, TIER_STYLES[judgement.tier], judgement.tier.padEnd(8))}`;
}

function changeJson({ key, ...change }: ObjectChange): object {
  return { ...keyJson(key), ...change };
}

function asJson({ scan, rules, changes, answer }: Tried): object {
  const { before, after, changed, reread } = answer;
  return { scan: scan.id, rules, changes, before, after, changed, reread, complete: isComplete(answer) };
}

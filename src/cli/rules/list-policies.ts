/** `seine policies [NAME]`: the conditions of the policies. */
import { SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import { describeCondition, formatCondition } from '../../governance/policies/describe.ts';
import { policiesOf } from '../../governance/policies/policies-of.ts';
import type { Policy } from '../../governance/policies/policy.ts';
import type { CommonFlags } from '../options.ts';
import { table } from '../output/table.ts';
import { detectTerminalStyle, paint } from '../output/terminal-style.ts';
import { truncateEnd } from '../output/text-width.ts';
import { visible } from '../output/visible.ts';
import { loadRules } from '../scans/scan-request.ts';

export interface PoliciesFlags extends CommonFlags {
  readonly rules?: string;
}

export function listPolicies(name: string | undefined, flags: PoliciesFlags): void {
  const rules = loadRules(flags.rules);
  const policies = policiesOf(rules);
  if (name !== undefined) return showPolicy(named(name, policies), detectorsOf(rules, catalogue), flags);
  if (flags.json)
    return void process.stdout.write(policies.map((policy) => `${JSON.stringify(policy)}\n`).join(''));
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const widest = Math.max(...policies.map(({ id }) => id.length));
  const room = Math.max(24, style.width - widest - 2);
  const rows = policies.flatMap(({ id, title, when }) => [
    [paint(style, 'bold', id), truncateEnd(visible(title), room)],
    ['', paint(style, 'gray', truncateEnd(formatCondition(when), room))],
  ]);
  process.stdout.write(table(['left', 'left'], rows));
}

function named(name: string, policies: readonly Policy[]): Policy {
  const policy = policies.find(({ id }) => id === name.toLowerCase());
  if (policy) return policy;
  const names = policies.map(({ id }) => id);
  throw new SeineError('usage', `No policy "${name}".`, {
    hint: didYouMean(name, names, `Policies: ${names.join(', ')}.`),
  });
}

function showPolicy(
  policy: Policy,
  detectors: Parameters<typeof describeCondition>[1],
  flags: PoliciesFlags,
): void {
  if (flags.json) return void process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const only = policy.excludeIfOnly;
  const lines = [
    `${paint(style, 'bold', policy.id)}  ${visible(policy.title)}`,
    '',
    'Matches an object that has',
    ...describeCondition(policy.when, detectors, '  '),
    ...(only.length > 0 ? ['', `unless all it has of these is ${only.join(', ')}.`] : []),
    '',
    `List the matching findings: seine findings --policy ${policy.id}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

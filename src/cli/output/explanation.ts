/** Why a finding was reported: anchor, checks, surroundings, the sum, and what its object comes to. */
import { displayKey } from '../../base/key.ts';
import type { FindingExplanation } from '../../scans/explain/explain-finding.ts';
import { keyJson } from '../../scans/finding-json.ts';
import { placeInObject } from '../../scans/finding-place.ts';
import { scoreText } from './inspection.ts';
import { type Look, paint } from './look.ts';
import { visible } from './visible.ts';

export function renderExplanation(why: FindingExplanation, look: Look): string {
  const { finding, detector } = why;
  const place = `${displayKey(why.key)}${visible(placeInObject(finding))}`;
  const kind = detector ? `${detector.title} (${finding.category}, ${detector.standing})` : finding.category;
  return [
    `${paint(look, 'bold', finding.detector)}  ${visible(finding.masked)}  ${place}  ${paint(look, 'gray', why.handle)}\n${kind}\n`,
    section('Why it was found', foundBecause(why), look),
    section('How sure', sums(why), look),
    section(
      'Others claimed the same bytes and lost',
      why.contested.map((id) => `  ${id}`),
      look,
    ),
    why.object.score ? `\n${scoreText(why.object.score, look)}` : '',
    section('Policies that its object meets', policyLines(why), look),
  ].join('');
}

export function explanationJson(why: FindingExplanation): Record<string, unknown> {
  const { key, ...rest } = why;
  return { ...keyJson(key), ...rest };
}

function section(title: string, lines: readonly string[], look: Look): string {
  return lines.length === 0 ? '' : `\n${paint(look, 'bold', title)}\n${lines.join('\n')}\n`;
}

function foundBecause(why: FindingExplanation): string[] {
  return [
    ...why.anchors.map((anchor) => `  looked at   ${anchor}`),
    ...(why.checks.length > 0 ? [`  passed      ${why.checks.join(', ')}`] : []),
    ...why.context.map((hit) => `  spoken for  ${contextText(hit, why)}`),
    ...(why.against.length > 0 ? [`  against     ${why.against.join(', ')}`] : []),
    ...(why.finding.features?.entropy
      ? [`  entropy     ${why.finding.features.entropy} bits per character`]
      : []),
  ];
}

function policyLines({ finding, object }: FindingExplanation): string[] {
  return Object.entries(object.policies).map(
    ([policy, detectors]) =>
      `  ${policy}: ${detectors.join(', ')}${detectors.includes(finding.detector) ? '' : ' (not by this one)'}`,
  );
}

function contextText({ by, word }: FindingExplanation['context'][number], why: FindingExplanation): string {
  if (by === 'context word') return 'a word before it (--read shows which)';
  return `the field ${visible(why.finding.field ?? '')}${word === null ? '' : `, by "${visible(word)}"`}`;
}

function sums({ confidence }: FindingExplanation): string[] {
  const { base, context, total, threshold } = confidence;
  const least = `${total.toFixed(2)}  in all; from ${threshold.toFixed(2)} on it is reported`;
  if (base === null || context === null) return [`   ${least}`];
  const around =
    context === 0 ? [] : [`  ${context > 0 ? '+' : '−'}${Math.abs(context).toFixed(2)}  by its surroundings`];
  return [`   ${base.toFixed(2)}  the value itself, its checks passed`, ...around, `   ${least}`];
}

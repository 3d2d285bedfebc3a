/** Why a finding was reported: prefilter, checks, context, confidence, and the score of its object. */
import { displayKey } from '../../base/key.ts';
import type { FindingExplanation } from '../../scans/explain/explain-finding.ts';
import { keyJson } from '../../scans/results/finding-json.ts';
import { formatLocation } from '../../scans/results/finding-location.ts';
import { scoreText } from './inspection.ts';
import { paint, type TerminalStyle } from './terminal-style.ts';
import { visible } from './visible.ts';

export function renderExplanation(why: FindingExplanation, style: TerminalStyle): string {
  const { finding, detector } = why;
  const place = `${displayKey(why.key)}${visible(formatLocation(finding))}`;
  const kind = detector ? `${detector.title} (${finding.category}, ${detector.strength})` : finding.category;
  return [
    `${paint(style, 'bold', finding.detector)}  ${visible(finding.masked)}  ${place}  ${paint(style, 'gray', why.handle)}\n${kind}\n`,
    section('Evidence', evidenceText(why), style),
    section('Confidence', sums(why), style),
    section(
      'Overlapping matches of other detectors',
      why.contested.map((id) => `  ${id}`),
      style,
    ),
    why.object.score ? `\n${scoreText(why.object.score, style)}` : '',
    section('Policies matched by its object', policyLines(why), style),
  ].join('');
}

export function explanationJson(why: FindingExplanation): Record<string, unknown> {
  const { key, ...rest } = why;
  return { ...keyJson(key), ...rest };
}

function section(title: string, lines: readonly string[], style: TerminalStyle): string {
  return lines.length === 0 ? '' : `\n${paint(style, 'bold', title)}\n${lines.join('\n')}\n`;
}

function evidenceText(why: FindingExplanation): string[] {
  return [
    ...why.anchors.map((anchor) => `  prefilter   ${anchor}`),
    ...(why.checks.length > 0 ? [`  passed      ${why.checks.join(', ')}`] : []),
    ...why.context.map((hit) => `  context     ${contextText(hit, why)}`),
    ...(why.against.length > 0 ? [`  against     ${why.against.join(', ')}`] : []),
    ...(why.finding.features?.entropy
      ? [`  entropy     ${why.finding.features.entropy} bits per character`]
      : []),
  ];
}

function policyLines({ finding, object }: FindingExplanation): string[] {
  return Object.entries(object.policies).map(
    ([policy, detectors]) =>
      `  ${policy}: ${detectors.join(', ')}${detectors.includes(finding.detector) ? '' : ' (not because of this finding)'}`,
  );
}

function contextText({ by, word }: FindingExplanation['context'][number], why: FindingExplanation): string {
  if (by === 'context word') return 'a context word before it (--read shows which)';
  return `field ${visible(why.finding.field ?? '')}${word === null ? '' : `, matched by "${visible(word)}"`}`;
}

function sums({ confidence }: FindingExplanation): string[] {
  const { base, context, total, threshold } = confidence;
  const min = `${total.toFixed(2)}  total; reported from ${threshold.toFixed(2)}`;
  if (base === null || context === null) return [`   ${min}`];
  const adjustment =
    context === 0 ? [] : [`  ${context > 0 ? '+' : '−'}${Math.abs(context).toFixed(2)}  context`];
  return [`   ${base.toFixed(2)}  value and its checks`, ...adjustment, `   ${min}`];
}

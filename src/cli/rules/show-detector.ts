/** One detector in full: its prefilters, context words, examples, and its cost on this machine. */
import { LEGACY_STANDING } from '../../detection/catalogue-info.ts';
import { type Cost, measureCost } from '../../detection/cost.ts';
import type { Detector, Example, PrefilterRule } from '../../detection/detector.ts';
import { proofsOf } from '../../detection/examples.ts';
import { packsWith } from '../../governance/packs/packs.ts';
import type { CommonFlags } from '../options.ts';
import { groupDigits } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { detectTerminalStyle, heading, paint, type TerminalStyle } from '../output/terminal-style.ts';
import { wrap } from '../output/text-width.ts';
import { visible } from '../output/visible.ts';

export function showDetector(detector: Detector, all: readonly Detector[], flags: CommonFlags): void {
  const cost = measureCost(detector, all);
  if (flags.json) return void process.stdout.write(`${JSON.stringify(inFull(detector, cost), null, 2)}\n`);
  const style = detectTerminalStyle(process.stdout, process.env, flags);
  const sections = [
    [`${paint(style, 'bold', detector.id)}  ${visible(detector.title)}`],
    [table(['left', 'left'], facts(detector)).trimEnd()],
    [heading('Prefilters', style), ...detector.prefilters.map((anchor) => `  ${prefilterText(anchor)}`)],
    contextSection(detector, style),
    [heading('Finds', style), ...detector.examples.match.map(exampleText)],
    [heading('Does not find', style), ...detector.examples.not.map(exampleText)],
    costSection(cost, all.length, style),
  ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  process.stdout.write(`${text.join('\n\n')}\n`);
}

function facts(detector: Detector): string[][] {
  const packs = packsWith(detector);
  return [
    ['category', detector.category],
    ...(detector.country === undefined ? [] : [['country', detector.country]]),
    ['regulations', detector.regulations.join(', ') || 'none'],
    ['packs', packs.join(', ') || 'none'],
    ['strength', STRENGTH_TEXT[detector.strength]],
    ['checks', proofsOf(detector).join(', ')],
    ['risk', `${detector.risk} of 10`],
    ['confidence', `${detector.confidence}, before context`],
  ];
}

const STRENGTH_TEXT: Readonly<Record<Detector['strength'], string>> = {
  prefix: 'prefix: has a prefix set by its issuer',
  checksum: 'checksum: validated by check digits or its structure',
  format: 'format: has a distinctive format',
  context: 'context: only reported next to a label',
  heuristic: 'heuristic: weak evidence',
};

function prefilterText(anchor: PrefilterRule): string {
  if ('assigned' in anchor) return `a value assigned to a name that ends with ${anchor.assigned.join(', ')}`;
  return `${visible(anchor.pattern)}${anchor.labelled ? '   (only near one of its context words)' : ''}`;
}

function contextSection({ context }: Detector, style: TerminalStyle): string[] {
  if (context === undefined) return [];
  const list = (about: string, words: readonly string[] = []) =>
    words.length === 0
      ? []
      : wrap(`${about} ${words.join(', ')}`, style.width - 2).map((line) => `  ${line}`);
  return [
    heading('Context words', style),
    ...list('positive:', context.words),
    ...list('negative:', context.avoid),
  ];
}

/** An example; if the value is only part of the text, it follows after an arrow. */
function exampleText(example: Example): string {
  if (typeof example === 'string') return `  ${visible(example)}`;
  const field = example.field === undefined ? '' : `   (in ${visible(example.field)})`;
  const value =
    example.value === undefined || example.value === example.text ? '' : `   → ${visible(example.value)}`;
  return `  ${visible(example.text)}${field}${value}`;
}

function costSection(cost: Cost, detectors: number, style: TerminalStyle): string[] {
  const added = Math.round(cost.with - cost.without);
  const more =
    added > 0 ? `of which this one adds ${groupDigits(added)} ns` : 'its share is too small to measure';
  return [
    heading('Cost on this machine, per kilobyte of ordinary text', style),
    `  alone ${groupDigits(cost.alone)} ns; all ${detectors} together ${groupDigits(cost.with)} ns, ${more}`,
  ];
}

function inFull(detector: Detector, cost: Cost): Record<string, unknown> {
  return {
    ...detectorJson(detector),
    packs: packsWith(detector),
    checks: proofsOf(detector),
    anchors: detector.prefilters,
    context: detector.context ?? null,
    examples: detector.examples,
    nsPerKilobyte: { alone: cost.alone, all: cost.with, allWithout: cost.without },
  };
}

export function detectorJson(detector: Detector): Record<string, unknown> {
  const { id, title, category, country = null, regulations, strength, risk, confidence } = detector;
  const standing = LEGACY_STANDING[strength];
  return { id, title, category, country, regulations, strength, standing, risk, confidence };
}

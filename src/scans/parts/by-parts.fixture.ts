import { catalogue } from '../../detection/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { Collector } from '../detect/collector.ts';
import { Inspector } from '../detect/inspector.ts';
import { thresholdsOf } from '../detect/thresholds.ts';
import { Fingerprint } from '../fingerprint.ts';
import type { Inspection } from '../inspection.ts';
import type { Accepted } from '../suppressions/suppression.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { inspectionOf, judgingOf } from './assemble.ts';
import type { StepObject } from './part.ts';
import { join, type PartResult, resultOf } from './part-result.ts';
import { StepInspector } from './step-inspector.ts';

const secret = Buffer.alloc(32, 1);
const never = new AbortController().signal;
const detectors = detectorsOf(DEFAULT_RULES, catalogue);
const scanner = createScanner(detectors, thresholdsOf(DEFAULT_RULES, detectors));
const fingerprint = new Fingerprint(secret);

export function inspectWhole(
  source: Source,
  object: SourceObject,
  keepEach: number,
  accepted: readonly Accepted[] = [],
): Promise<Inspection> {
  const options = { rules: DEFAULT_RULES, secret, keepEach, accepted };
  return new Inspector(source, options).inspect(object, never, () => {});
}

export function stepInspector(
  source: Source,
  keepEach: number,
  accepted: readonly Accepted[] = [],
): StepInspector {
  const suppressor = new Suppressor(accepted);
  const collector = (of: Scanner) => new Collector(of, detectors, fingerprint, keepEach, suppressor);
  return new StepInspector(source, scanner, collector, suppressor);
}

/** `cuts`: places in the object, in any order, also outside of it. One step for each stretch between two of them. */
export async function inspectSteps(
  source: Source,
  object: SourceObject,
  cuts: readonly number[],
  keepEach: number,
  accepted: readonly Accepted[] = [],
): Promise<PartResult[]> {
  const inspector = stepInspector(source, keepEach, accepted);
  const places = [0, ...cuts.filter((cut) => cut > 0 && cut < object.size), object.size];
  const ends = [...new Set(places)].sort((a, b) => a - b);
  const results: PartResult[] = [];
  for (const [n, to] of ends.slice(1).entries()) {
    const step = { from: ends[n]!, to };
    const item: StepObject = { ...object, object, step };
    results.push(resultOf(step, await inspector.inspect(item, never, () => {})));
  }
  return results;
}

/** The same by steps, joined one after the other, or from the end, or in pairs. */
export function joined(
  results: readonly PartResult[],
  keepEach: number,
  order: 'forward' | 'backward' | 'pairs',
): Inspection {
  return inspectionOf(joinAll(results, keepEach, order), judgingOf(DEFAULT_RULES, keepEach));
}

function joinAll(results: readonly PartResult[], keepEach: number, order: string): PartResult {
  const one = (left: PartResult, right: PartResult) => join(left, right, keepEach);
  if (order === 'forward') return results.reduce(one);
  if (order === 'backward') return results.reduceRight((right, left) => one(left, right));
  if (results.length === 1) return results[0]!;
  const middle = results.length >> 1;
  return one(
    joinAll(results.slice(0, middle), keepEach, order),
    joinAll(results.slice(middle), keepEach, order),
  );
}

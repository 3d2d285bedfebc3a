import { catalogue } from '../../detection/detectors/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { DEFAULT_WEIGHTS } from '../../governance/weights.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { Inspector } from '../detect/inspector.ts';
import { Fingerprint } from '../fingerprint.ts';
import type { Inspection } from '../inspection.ts';
import { inspectionOf } from './assemble.ts';
import type { StepObject } from './part.ts';
import { join, type PartResult, resultOf } from './part-result.ts';
import { StepInspector } from './step-inspector.ts';

const secret = Buffer.alloc(32, 1);
const never = new AbortController().signal;
const scanner = createScanner(catalogue, { minConfidence: DEFAULT_RULES.minConfidence });
const fingerprint = new Fingerprint(secret);

export function inspectWhole(source: Source, object: SourceObject, keepEach: number): Promise<Inspection> {
  return new Inspector(source, { rules: DEFAULT_RULES, secret, keepEach }).inspect(object, never, () => {});
}

export function stepInspector(source: Source, keepEach: number): StepInspector {
  return new StepInspector(source, scanner, catalogue, fingerprint, keepEach);
}

/** `cuts`: places in the object, in any order, also outside of it. One step for each stretch between two of them. */
export async function inspectSteps(
  source: Source,
  object: SourceObject,
  cuts: readonly number[],
  keepEach: number,
): Promise<PartResult[]> {
  const inspector = stepInspector(source, keepEach);
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
  return inspectionOf(joinAll(results, keepEach, order), DEFAULT_WEIGHTS);
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

/** `seine detectors [ID]`: the catalogue, or one detector in full. */
import { SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { catalogue } from '../../detection/catalogue.ts';
import type { Detector } from '../../detection/detector.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { CommonFlags } from '../options.ts';
import { pluralize } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { loadRules } from '../scans/scan-request.ts';
import { detectorJson, showDetector } from './show-detector.ts';

export interface DetectorsFlags extends CommonFlags {
  readonly category?: string;
  readonly pack?: string[];
  readonly country?: string;
  readonly rules?: string;
}

export function listDetectors(id: string | undefined, flags: DetectorsFlags): void {
  const on = detectorsOf(loadRules(flags.rules, flags.pack), catalogue);
  if (id !== undefined) return showDetector(named(id, on), on, flags);
  const chosen = on.filter((detector) => matchesFlags(detector, flags)).toSorted(byCategory);
  if (flags.json) {
    return void process.stdout.write(
      chosen.map((each) => `${JSON.stringify(detectorJson(each))}\n`).join(''),
    );
  }
  if (chosen.length > 0) process.stdout.write(table(ALIGNS, [HEAD, ...chosen.map(row)]));
  process.stderr.write(`${pluralize(chosen.length, 'detector')}\n`);
}

const ALIGNS = ['left', 'left', 'left', 'left', 'left', 'left', 'right', 'right'] as const;
const HEAD = ['DETECTOR', 'WHAT IT FINDS', 'CATEGORY', 'COUNTRY', 'REGULATIONS', 'STRENGTH', 'RISK', 'SURE'];

function row(detector: Detector): string[] {
  return [
    detector.id,
    visible(detector.title),
    detector.category,
    detector.country ?? '',
    detector.regulations.join(' '),
    detector.strength,
    String(detector.risk),
    detector.confidence.toFixed(2),
  ];
}

function matchesFlags({ category, country }: Detector, flags: DetectorsFlags): boolean {
  if (flags.category !== undefined && category !== flags.category) return false;
  return flags.country === undefined || country === flags.country.toUpperCase();
}

function byCategory(a: Detector, b: Detector): number {
  return a.category === b.category ? (a.id < b.id ? -1 : 1) : a.category < b.category ? -1 : 1;
}

function named(id: string, detectors: readonly Detector[]): Detector {
  const detector = detectors.find((each) => each.id === id.toUpperCase());
  if (detector) return detector;
  const ids = detectors.map((each) => each.id);
  throw new SeineError('usage', `No detector "${id}".`, {
    hint: didYouMean(id, ids, 'List them: seine detectors'),
  });
}

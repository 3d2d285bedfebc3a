/** Which detectors are measured, and the 29 that others are measured with. */
import { catalogue } from '../../src/detection/catalogue.ts';
import type { Detector } from '../../src/detection/detector.ts';
import { PATTERNS } from '../patterns.ts';
import { COMPETITOR_PATTERNS } from './competitor-patterns.ts';

/** The detectors that are on by default. */
export const USUAL: readonly Detector[] = catalogue.filter(({ optional }) => optional !== true);
export const EVERY: readonly Detector[] = catalogue;

export const COMPETITOR_IDS: readonly string[] = Object.keys(COMPETITOR_PATTERNS);
export const COMPARED_DETECTORS: readonly Detector[] = catalogue.filter(({ id }) =>
  COMPETITOR_IDS.includes(id),
);

/**
 * One expression for every detector that has an equivalent: the written one, else its own anchors, with the words before them where
 * only those make it a value. Names of assigned values are none of these.
 */
export function patternsOf(detectors: readonly Detector[]): string[] {
  return detectors.flatMap((detector) => PATTERNS[detector.id] ?? fromPrefilters(detector));
}

function fromPrefilters({ prefilters, context }: Detector): string[] {
  const words = context?.words.map((word) => word.replaceAll(' ', '[ _-]')).join('|');
  const parts = prefilters.flatMap((anchor) => {
    if (!('pattern' in anchor)) return [];
    const pattern = anchor.pattern.replace(/^\(\?i\)(.*)$/s, '(?i:$1)');
    if (!anchor.labelled) return [`(?:${pattern})`];
    return words === undefined ? [] : [`(?i:\\b(?:${words}))[^\\n]{0,48}?(?:${pattern})`];
  });
  return parts.length === 0 ? [] : [parts.join('|')];
}

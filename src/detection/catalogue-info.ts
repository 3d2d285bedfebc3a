import type { Strength } from './detector.ts';

/**
 * Detectors that are off unless rules or packs enable them: their findings mean little by themselves, or their prefilters match common
 * words. Their files have the flag too; a test compares the two.
 */
export const OPTIONAL: ReadonlySet<string> = new Set([
  'DATE_TIME',
  'ETHNIC_GROUP',
  'NATIONALITY',
  'ORGANIZATION',
  'RELIGION',
  'URL',
]);

/** The former names of the strengths, which JSON output still contains as `standing`. */
export const LEGACY_STANDING: Readonly<Record<Strength, string>> = {
  prefix: 'issued',
  checksum: 'checked',
  format: 'formed',
  context: 'labelled',
  heuristic: 'guessed',
};

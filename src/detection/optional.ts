/**
 * Detectors that are off unless rules or packs name them: what they find says little by itself, and they ask about common words. Their
 * files say so too; a test compares the two.
 */
export const OPTIONAL: ReadonlySet<string> = new Set([
  'DATE_TIME',
  'ETHNIC_GROUP',
  'NATIONALITY',
  'ORGANIZATION',
  'RELIGION',
  'URL',
]);

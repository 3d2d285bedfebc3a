import type { PrefilterRule } from '../../detector.ts';

/** Suffixes of street names before a number, at least three bytes each. */
export const STREET_ENDS: readonly PrefilterRule[] = prefiltersOf([
  ...['straße', 'strasse', 'str.', 'platz', 'weg', 'allee', 'graben', 'steig', 'ufer', 'damm'],
  ...['straat', 'laan', 'plein', 'gracht', 'dijk', 'plantsoen', 'singel', 'dreef'],
  ...[
    'vägen',
    'gatan',
    'gränden',
    'torget',
    'vej',
    'gade',
    'veien',
    'vegen',
    'gata',
    'stien',
    'vænget',
    'bakken',
    'svingen',
  ],
  ...['braut', 'katu', 'tie', 'kuja', 'polku', 'kaari', 'raitti', 'rinne', 'ranta'],
  ...[
    'utca',
    ' u.',
    ' út',
    ' tér',
    'tere',
    'útja',
    'körút',
    'krt.',
    'sétány',
    'ulica',
    'cesta',
    ' trg',
    'nám.',
    'Nám.',
  ],
  ...['iela', 'kak', 'caddesi', 'prospekt'],
]);

/** In small groups, because all alternatives of a pattern are expanded. Suffixes of plain letters get a start filter of their own. */
function prefiltersOf(words: readonly string[]): PrefilterRule[] {
  const ends = [...new Set(words.map(endOf))];
  const plain = ends.filter((end) => /^[a-z]{3}$/.test(end));
  const others = ends.filter((end) => !plain.includes(end)).map((end) => end.replace('.', String.raw`\.`));
  const chunks = Array.from({ length: Math.ceil(plain.length / 12) }, (_, n) =>
    plain.slice(12 * n, 12 * n + 12),
  );
  return [...chunks, others].map((some) => ({ pattern: String.raw`(?:${some.join('|')}) \d` }));
}

function endOf(word: string): string {
  const letters = [...word];
  let end = '';
  while (Buffer.byteLength(end) < 3) end = letters.pop() + end;
  return end;
}

/**
 * Suffixes of family names that no list can enumerate: patronymics and the like, in languages that derive names freely. Only suffixes
 * that hardly any other word has, after a stem of at least three letters.
 */
const ENDINGS = [
  ...['sson', 'dóttir', 'dottir', 'insen', 'ansen', 'ensen', 'elsen', 'rssen', 'ussen', 'ersen'],
  ...['ović', 'ević', 'ovic', 'evic', 'ovich', 'evich', 'ovych', 'evych', 'čić', 'njak'],
  ...['owski', 'ewski', 'owska', 'ewska', 'ński', 'ńska', 'ynski', 'inski', 'wicz', 'czyk', 'czak', 'czek'],
  ...['ovský', 'ovská', 'ová', 'enko', 'chuk', 'ishvili', 'adze'],
  ...['opoulos', 'opoulou', 'akis', 'idis', 'escu', 'eanu'],
  ...[
    'ikov',
    'akov',
    'ukov',
    'anov',
    'inov',
    'ikova',
    'akova',
    'ukova',
    'anova',
    'inova',
    'ayev',
    'iyev',
    'eyev',
  ],
  ...['ainen', 'rinen', 'ninen', 'linen', 'tinen'],
];
const MIN_STEM = 3;
const MIN_LENGTH = 6;

/** Indexed by the last three bytes, five bits of each: whether a suffix is possible. Rejects most words at once. */
const TAILS = new Uint8Array(1 << 15);
const BYTES = [...new Set(ENDINGS)].map((ending) => Buffer.from(ending));
for (const ending of BYTES) TAILS[tailOf(ending, ending.length)] = 1;

export function endsLikeFamily(bytes: Buffer, start: number, end: number): boolean {
  if (TAILS[tailOf(bytes, end)] === 0 || end - start < MIN_LENGTH) return false;
  return BYTES.some((ending) => endsWith(bytes, start + MIN_STEM, end, ending));
}

function tailOf(bytes: Buffer, end: number): number {
  return ((bytes[end - 3]! & 31) << 10) | ((bytes[end - 2]! & 31) << 5) | (bytes[end - 1]! & 31);
}

function endsWith(bytes: Buffer, min: number, end: number, ending: Buffer): boolean {
  const from = end - ending.length;
  if (from < min) return false;
  for (let n = 0; n < ending.length; n++) if (bytes[from + n] !== ending[n]) return false;
  return true;
}

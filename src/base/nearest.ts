/** The names most similar to an unknown word, best first: for "did you mean". Case-insensitive. */
export function nearest(word: string, names: Iterable<string>, limit = 3): string[] {
  const query = word.toLowerCase().slice(0, MAX_LENGTH);
  const near: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = distanceTo(query, name.toLowerCase());
    if (distance <= maxDistance(query, name)) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, limit).map(({ name }) => name);
}

/** "did you mean A, B or C?", or `otherwise` when nothing is similar. */
export function didYouMean(word: string, names: Iterable<string>, otherwise: string): string {
  const near = nearest(word, names);
  if (near.length === 0) return otherwise;
  const last = near.pop();
  return `did you mean ${near.length === 0 ? last : `${near.join(', ')} or ${last}`}?`;
}

/** Longer input is cut: the edit distance of a pasted text would cost its length squared. */
const MAX_LENGTH = 64;
const PARTIAL_MATCH_DISTANCE = 1;

function maxDistance(query: string, name: string): number {
  return Math.max(1, Math.floor(Math.min(query.length, name.length) / 3));
}

/** A prefix of a name, or one of its words, counts as similar: CARD is what people write for CREDIT_CARD. */
function distanceTo(query: string, name: string): number {
  if (query.length >= 3 && (name.startsWith(query) || name.split('_').includes(query)))
    return PARTIAL_MATCH_DISTANCE;
  return editDistance(query, name);
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), three rows at a time. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, before[j - 2]! + 1);
      }
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

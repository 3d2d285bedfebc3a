import type { Selection } from './rule-set.ts';

/** Whether a name is among those that a rule set selects. Case does not matter, `*` stands for anything. */
export function nameSelector({ include, exclude }: Selection): (name: string | null) => boolean {
  const known = new Map<string, boolean>();
  const decide = (name: string) =>
    (include.length === 0 || include.some((pattern) => matchesWildcard(pattern, name))) &&
    !exclude.some((pattern) => matchesWildcard(pattern, name));
  return (name) => {
    // What has no name can be left out by none, and is none of those that were asked for.
    if (name === null) return include.length === 0;
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MAX_CACHED_NAMES) known.clear();
    const selected = decide(name);
    known.set(name, selected);
    return selected;
  };
}

const MAX_CACHED_NAMES = 1024;

/** The pieces between stars, each at its first place behind the one before: linear, whatever the name. */
function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > text.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}

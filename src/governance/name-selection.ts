import type { Selection } from './rule-set.ts';

/** Whether a name is selected by a rule set. Case-insensitive; `*` matches anything. */
export function nameSelector({ include, exclude }: Selection): (name: string | null) => boolean {
  const cache = new Map<string, boolean>();
  const decide = (name: string) =>
    (include.length === 0 || include.some((pattern) => matchesWildcard(pattern, name))) &&
    !exclude.some((pattern) => matchesWildcard(pattern, name));
  return (name) => {
    // Unnamed items can't be excluded by name, and match no include list.
    if (name === null) return include.length === 0;
    const before = cache.get(name);
    if (before !== undefined) return before;
    if (cache.size >= MAX_CACHED_NAMES) cache.clear();
    const selected = decide(name);
    cache.set(name, selected);
    return selected;
  };
}

const MAX_CACHED_NAMES = 1024;

/**
 * Matches the parts between stars, each at its first position after the previous one: linear for any name.
 */
function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** The source of a simulated scan: a few objects, each with a behaviour. */
import type { SeineError } from '../../src/base/errors.ts';
import { FIRST_KEY, type Key, keyOf } from '../../src/base/key.ts';
import type { Range } from '../../src/base/range.ts';
import { createMemorySource, type MemorySource } from '../../src/sources/memory/memory.ts';
import type { Choices } from './random.ts';

/** `sick`: it can't be read. `poison`: it crashes the process that inspects it. Both can be healed. `huge`: it is read by segments. */
export type Nature = 'finding' | 'clean' | 'hidden' | 'huge' | 'sick' | 'poison';

/** Two parts, of four steps each. */
const HUGE_BYTES = 64 << 20;
const HUGE_STEPS = 8;

/** As many as there are, however the object was read. */
export function findingsOf(nature: Nature): number {
  if (nature === 'clean' || nature === 'hidden') return 0;
  return nature === 'huge' ? HUGE_STEPS : 1;
}

export function isFaulty(nature: Nature): boolean {
  return nature === 'sick' || nature === 'poison';
}

export interface Bucket {
  readonly source: MemorySource;
  /** As they were at the beginning. */
  readonly born: ReadonlyMap<Key, Nature>;
  readonly natures: Map<Key, Nature>;
  /** In order. */
  readonly keys: readonly Key[];
}

export function fill(choices: Choices, id: string, special: readonly Nature[], refusal: SeineError): Bucket {
  const source = createMemorySource({}, { id, batch: choices.between(1, 4) });
  const natures = new Map<Key, Nature>();
  const count = choices.between(1, 10);
  while (natures.size < count) {
    const key = keyOf(`${choices.of(['', 'a/', 'a/b/', 'ä/', '😀/'])}${choices.below(100)}`);
    natures.set(key, choices.of(['finding', 'finding', 'finding', 'clean', 'clean', 'hidden']));
  }
  const keys = [...natures.keys()].sort();
  for (const nature of special) natures.set(choices.of(keys), nature);
  for (const key of keys) {
    source.put(key, 'content', natures.get(key) === 'huge' ? { size: HUGE_BYTES } : {});
    if (natures.get(key) === 'hidden') source.hide(key, refusal);
  }
  return { source, born: new Map(natures), natures, keys };
}

/** Cut at keys, beside keys, or not at all. */
export function ranges(choices: Choices, keys: readonly Key[]): Range[] {
  const cuts = Array.from({ length: choices.of([0, 0, 0, 1, 2]) }, () => choices.of(keys)).map((key) =>
    choices.chance(0.3) ? (`${key}~` as Key) : key,
  );
  const bounds = [...new Set(cuts)].sort();
  return [FIRST_KEY, ...bounds].map((after, i) => ({ after, upTo: bounds[i] ?? null }));
}

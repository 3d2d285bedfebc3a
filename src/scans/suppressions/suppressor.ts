import type { Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { PathMatcher } from './path-matcher.ts';
import type { ActiveSuppression, SuppressedCounts } from './suppression.ts';

/** Suppressions of one detector. Ids ascend in both. */
interface OfDetector {
  readonly byFingerprint: ReadonlyMap<string, readonly Entry[]>;
  readonly byPath: readonly Entry[];
}

interface Entry extends ActiveSuppression {
  readonly paths: PathMatcher | null;
}

/**
 * Decides, for one object after another, which findings are suppressed, and counts them. Where several
 * suppressions match, the oldest gets the hit: so adding one changes nothing for findings that were
 * suppressed before.
 */
export class Suppressor {
  readonly #detectors: ReadonlyMap<string, OfDetector>;
  #key = '' as Key;
  #pathEntries = new Map<string, Entry | null>();
  #counts = new Map<string, number>();
  #by = new Map<string, number>();

  constructor(accepted: readonly ActiveSuppression[] = [], storage: KeyCodec = PLAIN_KEYS) {
    const entries = accepted.toSorted((a, b) => a.id - b.id).map((one) => entryOf(one, storage));
    const groups = Map.groupBy(entries, (entry) => entry.detector);
    this.#detectors = new Map([...groups].map(([detector, of]) => [detector, ofDetector(of)]));
  }

  /** Sets the current object. */
  begin(key: Key): void {
    this.#key = key;
    if (this.#pathEntries.size > 0) this.#pathEntries = new Map();
    if (this.#counts.size === 0) return;
    this.#counts = new Map();
    this.#by = new Map();
  }

  /** Whether any suppression may match a finding of the detector: for most there is none. */
  concerns(detector: string): boolean {
    return this.#detectors.has(detector);
  }

  /** `fingerprint` is only computed where a suppression could match: it is the most expensive step. */
  accepts(detector: string, fingerprint: () => string): boolean {
    const of = this.#detectors.get(detector);
    if (of === undefined) return false;
    const entry = this.#entryFor(detector, of, fingerprint);
    if (entry === null) return false;
    count(this.#counts, detector);
    count(this.#by, String(entry.id));
    return true;
  }

  /** The same without counting a hit, for a value that is not reported anyway. */
  wouldAccept(detector: string, fingerprint: () => string): boolean {
    const of = this.#detectors.get(detector);
    return of !== undefined && this.#entryFor(detector, of, fingerprint) !== null;
  }

  /** The counts of the current object; undefined when there are none. */
  get suppressed(): SuppressedCounts | undefined {
    if (this.#counts.size === 0) return undefined;
    return { counts: Object.fromEntries(this.#counts), by: Object.fromEntries(this.#by) };
  }

  #entryFor(detector: string, of: OfDetector, fingerprint: () => string): Entry | null {
    const byPath = this.#entryForPath(detector, of);
    if (of.byFingerprint.size === 0) return byPath;
    const byValue = of.byFingerprint.get(fingerprint())?.find((entry) => covers(entry, this.#key)) ?? null;
    if (byPath === null || byValue === null) return byPath ?? byValue;
    return byPath.id < byValue.id ? byPath : byValue;
  }

  /** The suppression that matches all findings of the detector in the object. */
  #entryForPath(detector: string, { byPath }: OfDetector): Entry | null {
    if (byPath.length === 0) return null;
    let entry = this.#pathEntries.get(detector);
    if (entry === undefined) {
      entry = byPath.find((one) => covers(one, this.#key)) ?? null;
      this.#pathEntries.set(detector, entry);
    }
    return entry;
  }
}

/** Objects are matched by their stored key. */
function entryOf(accepted: ActiveSuppression, storage: KeyCodec): Entry {
  const object = accepted.object === null ? null : storage.open(accepted.object);
  return { ...accepted, object, paths: accepted.path === null ? null : new PathMatcher(accepted.path) };
}

function ofDetector(entries: readonly Entry[]): OfDetector {
  const valued = entries.filter((entry) => entry.fingerprint !== null);
  return {
    byFingerprint: Map.groupBy(valued, (entry) => entry.fingerprint!),
    byPath: entries.filter((entry) => entry.fingerprint === null),
  };
}

function covers({ object, paths }: Entry, key: Key): boolean {
  return (object === null || object === key) && (paths === null || paths.covers(key));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

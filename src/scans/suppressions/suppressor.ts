import type { Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { PathMatcher } from './path-matcher.ts';
import type { ActiveSuppression, SuppressedCounts } from './suppression.ts';

/** What may accept a finding of one detector. Numbers ascend in both. */
interface OfDetector {
  readonly byFingerprint: ReadonlyMap<string, readonly Entry[]>;
  readonly byPath: readonly Entry[];
}

interface Entry extends ActiveSuppression {
  readonly paths: PathMatcher | null;
}

/**
 * Tells, for one object after another, which findings are accepted, and counts them. Where several suppressions accept a finding,
 * the oldest has the hit: so one that is added changes nothing about findings that were accepted before it.
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

  /** From now on findings are those of this object. */
  begin(key: Key): void {
    this.#key = key;
    if (this.#pathEntries.size > 0) this.#pathEntries = new Map();
    if (this.#counts.size === 0) return;
    this.#counts = new Map();
    this.#by = new Map();
  }

  /** Whether a finding of the detector can be accepted anywhere: for most there is nothing. */
  concerns(detector: string): boolean {
    return this.#detectors.has(detector);
  }

  /** `fingerprint` is asked only where one could matter: it costs more than everything else here. */
  accepts(detector: string, fingerprint: () => string): boolean {
    const of = this.#detectors.get(detector);
    if (of === undefined) return false;
    const entry = this.#entryFor(detector, of, fingerprint);
    if (entry === null) return false;
    count(this.#counts, detector);
    count(this.#by, String(entry.id));
    return true;
  }

  /** The same, of a value that is not reported anyway: it is no hit. */
  wouldAccept(detector: string, fingerprint: () => string): boolean {
    const of = this.#detectors.get(detector);
    return of !== undefined && this.#entryFor(detector, of, fingerprint) !== null;
  }

  /** Of the object since `begin`; undefined when there are none. */
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

  /** The same for all findings of the detector in the object. */
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

/** It names its object as that is stored. */
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

/**
 * Masks values in names: of objects, archive members, sheets, tables, columns and fields, and in messages
 * that contain them. A name is stored and displayed with its values masked, and with a few digits of a
 * keyed hash, so that two names which differ only in the masked part stay distinct. Names without values
 * are unchanged.
 */
import { type Key, keyBytes, keyFromBytes, SEAL } from '../../base/key.ts';
import { KeyCipher, type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { catalogue } from '../../detection/catalogue.ts';
import type { Detector } from '../../detection/detector.ts';
import { maskValue } from '../../detection/masking.ts';
import { createScanner } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { isMaskedInNames, mayHoldValue, variantsOf } from './name-text.ts';

/** Results of another version name their objects differently, and are not carried over. */
export const NAMES_VERSION = 1;

export interface Names extends KeyCodec {
  /** The name in stored and display form. */
  name(name: string): string;
  /** A message that may contain a name. */
  message(text: string): string;
}

/** Names are not masked. */
export const PLAIN_NAMES: Names = { ...PLAIN_KEYS, name: (name) => name, message: (text) => text };

/**
 * Maximum number of bytes of a name that are kept: no file system has longer paths, but a small archive can
 * have thousands of names of 64 kB.
 */
const MAX_NAME_BYTES = 4096;
/** How much is read beyond the maximum, for a value that starts before it: no detector needs more. */
const LOOKAHEAD_BYTES = 4096;

interface NamedValue {
  readonly start: number;
  readonly end: number;
  readonly detector: Detector;
}

export class NameMasker implements Names {
  readonly #cipher: KeyCipher;
  readonly #detectors: readonly Detector[];
  /** Custom patterns may match anything, so the prefilter must not be used. */
  readonly #hasCustomDetectors: boolean;
  #scanner: Scanner | null = null;
  readonly #names = new TextCache();
  readonly #messages = new TextCache();

  /**
   * Masking ignores the exclusions of the rules, so that a name is the same in every scan. Custom detectors
   * are added.
   */
  constructor(secret: Uint8Array, { custom }: Pick<RuleSet, 'custom'> = DEFAULT_RULES) {
    this.#cipher = new KeyCipher(secret);
    this.#hasCustomDetectors = custom.length > 0;
    this.#detectors = detectorsOf({ ...DEFAULT_RULES, custom }, catalogue).filter(isMaskedInNames);
  }

  name(name: string): string {
    return this.#names.getOrCompute(name, () => {
      const bytes = Buffer.from(name);
      if (bytes.length > MAX_NAME_BYTES) return this.#shortened(bytes);
      const values = this.#valuesIn(bytes);
      return values.length === 0 ? name : this.#masked(bytes, values).toString();
    });
  }

  message(text: string): string {
    return this.#messages.getOrCompute(text, () => {
      const bytes = Buffer.from(text);
      const values = this.#valuesIn(bytes);
      return values.length === 0 ? text : maskValues(bytes, values, () => '').toString();
    });
  }

  /**
   * Returns the stored form. A key that looks like a sealed one is sealed, too, so that every key can be
   * restored.
   */
  seal(key: Key): Key {
    const bytes = keyBytes(key);
    const values = this.#valuesIn(bytes);
    if (values.length === 0 && !key.includes(SEAL)) return key;
    const at = values[0]?.start ?? key.indexOf(SEAL);
    return this.#cipher.seal(key, at, keyFromBytes(this.#masked(bytes, values).subarray(at)));
  }

  open(stored: Key): Key {
    return this.#cipher.open(stored);
  }

  /** Truncates after the value at the limit, if there is one: half of it would not be recognised. */
  #shortened(bytes: Buffer): string {
    const values = this.#valuesIn(bytes.subarray(0, MAX_NAME_BYTES + LOOKAHEAD_BYTES)).filter(
      ({ start }) => start < MAX_NAME_BYTES,
    );
    const kept = bytes.subarray(0, Math.max(MAX_NAME_BYTES, values.at(-1)?.end ?? 0));
    return `${this.#masked(kept, values)}…~${this.#cipher.tagOf(bytes)}`;
  }

  /**
   * Each path component with a value gets the hash digits of the path up to it, so that a folder has the
   * same name for all its entries.
   */
  #masked(bytes: Buffer, values: readonly NamedValue[]): Buffer {
    let taggedUpTo = 0;
    return maskValues(bytes, values, ({ start, end }) => {
      if (start < taggedUpTo) return '';
      const slash = bytes.indexOf('/', end);
      taggedUpTo = slash === -1 ? bytes.length : slash;
      return `~${this.#cipher.tagOf(bytes.subarray(0, taggedUpTo))}`;
    });
  }

  #valuesIn(bytes: Buffer): NamedValue[] {
    if (!this.#hasCustomDetectors && !mayHoldValue(bytes)) return [];
    return mergeOverlapping(variantsOf(bytes).flatMap((reading) => this.#scan(reading)));
  }

  #scan(bytes: Uint8Array): NamedValue[] {
    this.#scanner ??= createScanner(this.#detectors);
    const values: NamedValue[] = [];
    this.#scanner.begin({ fieldAt: () => null }, (spans) => {
      for (let i = 0; i < spans.count; i++) {
        const detector = this.#detectors[spans.detector[i]!]!;
        if (spans.reported[i] === 1) values.push({ start: spans.start[i]!, end: spans.end[i]!, detector });
      }
    });
    this.#scanner.push(bytes);
    this.#scanner.end();
    return values;
  }
}

/** Merges overlapping values, masked by the detector of the longest. */
function mergeOverlapping(values: readonly NamedValue[]): NamedValue[] {
  const disjoint: NamedValue[] = [];
  for (const value of values.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = disjoint.at(-1);
    if (last === undefined || value.start >= last.end) disjoint.push(value);
    else if (value.end > last.end) {
      const longer = value.end - value.start > last.end - last.start ? value : last;
      disjoint[disjoint.length - 1] = { start: last.start, end: value.end, detector: longer.detector };
    }
  }
  return disjoint;
}

function maskValues(
  bytes: Buffer,
  values: readonly NamedValue[],
  suffixOf: (value: NamedValue) => string,
): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const value of values) {
    const maskedText = maskValue(value.detector, bytes.toString('utf8', value.start, value.end));
    parts.push(bytes.subarray(from, value.start), Buffer.from(maskedText + suffixOf(value)));
    from = value.end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** Maximum number of cached texts. */
const MAX_TEXTS = 4096;
/** Limit for texts and results together: names in archives can be long, and each thread has its own cache. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Caches results for repeated texts: a table has few columns, a member of an archive many findings. */
class TextCache {
  readonly #entries = new Map<string, string>();
  #characters = 0;

  getOrCompute(text: string, compute: () => string): string {
    const before = this.#entries.get(text);
    if (before !== undefined) return before;
    const found = compute();
    const length = text.length + found.length;
    if (this.#entries.size === MAX_TEXTS || this.#characters + length > MAX_CHARACTERS) {
      this.#entries.clear();
      this.#characters = 0;
    }
    this.#entries.set(text, found);
    this.#characters += length;
    return found;
  }
}

import { decodeName } from './tar-header.ts';
import { digits, type SparseMap } from './tar-sparse.ts';

/** The attributes that extended headers set for the next file, or for all that follow. */
export interface Attributes {
  readonly name?: string;
  readonly size?: number;
  readonly comment?: string;
  /** A sparse file: its map, or 'inner' if the map precedes the data, or 'unknown'. */
  readonly sparse?: SparseMap | 'inner' | 'unknown';
}

const NEWLINE = 0x0a;

/** Lines of "length key=value". null: they are not. */
export function readAttributes(bytes: Uint8Array): Attributes | null {
  const found = new Found();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const end = at + (blank === -1 ? Number.NaN : digits(decodeName(bytes.subarray(at, blank))));
    const equals = bytes.indexOf(0x3d, blank);
    if (!(equals > blank && equals < end && end <= bytes.length) || bytes[end - 1] !== NEWLINE) return null;
    const key = decodeName(bytes.subarray(blank + 1, equals));
    if (!found.take(key, decodeName(bytes.subarray(equals + 1, end - 1)))) return null;
    at = end;
  }
  return found.attributes;
}

class Found {
  #path: string | undefined;
  #realName: string | undefined;
  #size: number | undefined;
  #comment: string | undefined;
  #isSparse = false;
  #major = '0';
  #map: number[] = [];

  /** False: it can't be. */
  take(key: string, value: string): boolean {
    if (key.startsWith('GNU.sparse.')) this.#takeSparse(key.slice('GNU.sparse.'.length), value);
    if (key === 'path') this.#path = value;
    if (key === 'comment') this.#comment = value;
    if (key !== 'size') return true;
    this.#size = digits(value);
    return this.#size <= Number.MAX_SAFE_INTEGER;
  }

  /** Three successive formats of the map. */
  #takeSparse(key: string, value: string): void {
    this.#isSparse = true;
    if (key === 'name') this.#realName = value;
    if (key === 'major') this.#major = value;
    if (key === 'offset' || key === 'numbytes') this.#map.push(digits(value));
    if (key === 'map') this.#map = value.split(',').map(digits);
  }

  get attributes(): Attributes {
    const name = this.#realName ?? this.#path;
    return {
      ...(name === undefined ? {} : { name }),
      ...(this.#size === undefined ? {} : { size: this.#size }),
      ...(this.#comment === undefined ? {} : { comment: this.#comment }),
      ...(this.#isSparse ? { sparse: this.#sparse } : {}),
    };
  }

  get #sparse(): NonNullable<Attributes['sparse']> {
    if (this.#major === '1') return 'inner';
    return this.#major === '0' ? this.#map : 'unknown';
  }
}

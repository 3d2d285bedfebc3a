/** Collects from the text of an object what detection reads around one position. */
import { LEAD_IN, LEAD_OUT } from '../../detection/scanner.ts';
import type { TextPart, TextSink } from '../../extraction/extraction.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import type { SourcePosition } from './source-position.ts';

export interface PositionContext {
  readonly part: TextPart;
  readonly bytes: Buffer;
  /** Offset of the first byte in the part's text. */
  readonly offset: number;
  /** The requested position, as an offset in the part's text. */
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const NEWLINE = 0x0a;

export class PositionContextSink implements TextSink {
  readonly #position: SourcePosition;
  readonly #partName: string | null | undefined;
  readonly #names: Pick<Names, 'name'>;
  #part: TextPart | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  #offset = 0; // of the first byte kept
  #length = 0; // of the part's text so far
  #line = 1; // of the byte at #length
  #lineStart = 0;
  #hit: Pick<PositionContext, 'at' | 'line' | 'column'> | null = null;
  found: PositionContext | null = null;

  /** `part`: the name of the part to search; undefined: the first that contains the position. */
  constructor(position: SourcePosition, part?: string | null, names: Pick<Names, 'name'> = PLAIN_NAMES) {
    this.#position = position;
    this.#names = names;
    this.#partName = part;
  }

  begin(part: TextPart): void {
    const name = part.name === null ? null : this.#names.name(part.name);
    const meant = this.#partName === undefined || name === this.#partName || part.name === this.#partName;
    this.#part = meant && this.found === null ? part : null;
    this.#bytes = Buffer.alloc(0);
    this.#offset = this.#length = this.#lineStart = 0;
    this.#line = 1;
    this.#hit = null;
  }

  text(bytes: Uint8Array): void {
    if (this.#part === null || this.complete) return;
    this.#hit ??= this.#findPosition(bytes);
    if (this.#hit === null) this.#countLines(bytes);
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.#length += bytes.length;
    this.#trim();
  }

  end(): void {
    if (this.#part !== null && this.#hit !== null)
      this.found = { part: this.#part, bytes: this.#bytes, offset: this.#offset, ...this.#hit };
    this.#part = null;
  }

  /** The context is complete; no more text is needed. */
  get complete(): boolean {
    return this.#hit !== null && this.#length >= this.#hit.at + LEAD_OUT;
  }

  /** Until the position is reached, keeps only as much of the end as may precede it in the window. */
  #trim(): void {
    const from = (this.#hit?.at ?? this.#length) - LEAD_IN;
    if (from <= this.#offset) return;
    this.#bytes = this.#bytes.subarray(from - this.#offset);
    this.#offset = from;
  }

  #findPosition(bytes: Uint8Array): Pick<PositionContext, 'at' | 'line' | 'column'> | null {
    const position = this.#position;
    const at = 'offset' in position ? this.#byOffset(position.offset, bytes) : this.#byLine(position, bytes);
    if (at === null) return null;
    this.#countLines(bytes.subarray(0, at - this.#length));
    return { at, line: this.#line, column: at - this.#lineStart + 1 };
  }

  /** Offsets in the object grow monotonically with those in the text. */
  #byOffset(offset: number, bytes: Uint8Array): number | null {
    const origin = (at: number) => this.#part!.sourceOffset(at);
    let [low, high] = [this.#length, this.#length + bytes.length];
    if (bytes.length === 0 || origin(high) <= offset) return null;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (origin(middle + 1) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #byLine({ line, column }: { line: number; column: number }, bytes: Uint8Array): number | null {
    let [now, start] = [this.#line, this.#lineStart];
    for (let i = 0; i < bytes.length; i++) {
      if (now === line && this.#length + i === start + column - 1) return this.#length + i;
      if (bytes[i] !== NEWLINE) continue;
      if (now === line) return null;
      now++;
      start = this.#length + i + 1;
    }
    return null;
  }

  #countLines(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== NEWLINE) continue;
      this.#line++;
      this.#lineStart = this.#length + i + 1;
    }
  }
}

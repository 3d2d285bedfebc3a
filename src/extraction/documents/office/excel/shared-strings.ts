import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import { LimitExceeded } from '../../../extraction-error.ts';
import { cellText } from '../../../grid.ts';
import { longer, unescaped } from '../../sheets/cell-value.ts';
import { xmlTokens } from '../../xml/xml-tokens.ts';

const BLOCK = 64 * 1024;
const MAX_BYTES = 512 * 1024 * 1024;
const WIDE = /[^\0-\xff]/;

/**
 * The shared strings that cells refer to by index. Millions of small strings would take many times their length in memory, so they are
 * stored in long ones, with the start of each.
 */
export class SharedStrings {
  readonly #blocks: string[] = [];
  #block = '';
  #blockOf = new Uint32Array(1024);
  #start = new Uint32Array(1024);
  #count = 0;
  #bytes = 0;

  add(text: string): void {
    if (this.#count === this.#start.length) this.#grow();
    this.#blockOf[this.#count] = this.#blocks.length;
    this.#start[this.#count] = this.#block.length;
    this.#count++;
    this.#block += text;
    if (this.#block.length >= BLOCK) this.#endBlock();
  }

  /** null: there is none of that number. */
  get(index: number): string | null {
    if (!(index >= 0 && index < this.#count && Number.isInteger(index))) return null;
    const number = this.#blockOf[index]!;
    const block = this.#blocks[number] ?? this.#block;
    const inSame = index + 1 < this.#count && this.#blockOf[index + 1] === number;
    return block.slice(this.#start[index], inSame ? this.#start[index + 1] : block.length);
  }

  #endBlock(): void {
    const wide = WIDE.test(this.#block);
    this.#bytes += this.#block.length * (wide ? 2 : 1);
    this.#check();
    this.#blocks.push(wide ? this.#block : narrow(this.#block));
    this.#block = '';
  }

  #grow(): void {
    this.#check();
    this.#blockOf = grown(this.#blockOf);
    this.#start = grown(this.#start);
  }

  #check(): void {
    if (this.#bytes + 16 * this.#count > MAX_BYTES) throw new LimitExceeded('shared strings');
  }
}

/** A text that was decoded from two bytes for each character keeps both. */
function narrow(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** Runs of one text are joined; phonetics are skipped. What was read before an error is kept. */
export async function fillSharedStrings(strings: SharedStrings, part: ZipMember): Promise<void> {
  let text = '';
  let capturing = false;
  let isPhonetic = false;
  for await (const xml of xmlTokens(part.bytes()))
    while (xml.next()) {
      if (xml.token === 'text') {
        if (capturing) text = longer(text, xml.text);
      } else if (xml.name === 't') capturing = xml.token === 'open' && !isPhonetic;
      else if (xml.name === 'rPh') isPhonetic = xml.token === 'open';
      else if (xml.name === 'si') {
        if (xml.token === 'close') strings.add(cellText(unescaped(text)));
        text = '';
      }
    }
}

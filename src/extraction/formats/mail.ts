import { isUtf8 } from 'node:buffer';
import type { Reading } from '../extraction.ts';
import type { ExtractionLimits } from '../limits.ts';
import { type Intake, type Place, partial, read } from '../reading.ts';
import { fieldsOf } from '../structure/fields.ts';
import { fileName, type MailHeader, parseHeader, partName, readableHeader } from './mail-header.ts';
import { Leaf } from './mail-leaf.ts';
import { isBlank, LineCutter, lineEnd } from './mail-lines.ts';

const HEADER_BYTES = 256 * 1024;
const NOTHING: Uint8Array = new Uint8Array(0);

/** What encloses the lines at hand. */
interface Multipart {
  readonly delimiter: string; // "--" and the boundary
  readonly depth: number;
  readonly prefix: string;
}

/**
 * A mail: its headers as one part, then each body and text attachment. A body that was not wrapped keeps its place
 * in the object; a decoded one has offsets of its own. Lines go through one at a time and nothing else is held.
 */
export function takeMail(place: Place, limits: ExtractionLimits): Intake {
  return new Mail(place, limits);
}

class Mail implements Intake {
  readonly #place: Place;
  readonly #limits: ExtractionLimits;
  readonly #lines = new LineCutter((line, fresh) => this.#line(line, fresh));
  readonly #enclosing: Multipart[] = [];
  #header: Uint8Array[] | null = [];
  #headerAt = 0;
  #headerBytes = 0;
  #isMessage = true; // the header is that of a mail, not of a part
  #leaf: Leaf | null = null;
  #between = false; // before the first part or after the last
  #break = NOTHING; // the last line's end: it belongs to the delimiter if one follows
  #depth = 0;
  #prefix = '';
  #parts = 0;
  #offset = 0;
  #trouble: string | null = null;

  constructor(place: Place, limits: ExtractionLimits) {
    this.#place = place;
    this.#limits = limits;
  }

  push(bytes: Uint8Array): void {
    const rest = this.#lines.push(bytes, () => this.#needsNoLines());
    if (rest === null) return;
    this.#leaf?.write(this.#break);
    this.#break = NOTHING;
    this.#leaf?.write(rest);
  }

  end(): Reading {
    this.#lines.end();
    if (this.#header !== null) this.#endHeader();
    if (this.#enclosing.length > 0) this.#trouble ??= 'corrupt: truncated mail';
    this.#endLeaf(true);
    return this.#trouble === null ? read('eml') : partial(this.#trouble, 'eml');
  }

  /** There is no delimiter to look for, and it is clear where the text belongs. */
  #needsNoLines(): boolean {
    return this.#header === null && this.#enclosing.length === 0 && (!this.#between || this.#leaf !== null);
  }

  #line(line: Uint8Array, fresh: boolean): void {
    this.#offset += line.length;
    if (fresh && this.#delimiter(line)) return;
    if (this.#header !== null) return this.#headerLine(line, fresh);
    if (this.#between && this.#leaf === null && !isBlank(line)) {
      this.#openLeaf('text between parts', 'between.txt', '', this.#offset - line.length);
    }
    this.#leaf?.write(this.#break);
    const end = line.length - lineEnd(line);
    this.#leaf?.write(line.subarray(0, end));
    this.#break = this.#leaf === null ? NOTHING : line.slice(end);
  }

  /** A line that ends a part: of the innermost multipart, or of an outer one if the inner ones were left open. */
  #delimiter(line: Uint8Array): boolean {
    if (line[0] !== 0x2d || line[1] !== 0x2d || this.#enclosing.length === 0) return false;
    const text = Buffer.from(line).toString('latin1').trimEnd();
    const index = this.#enclosing.findLastIndex(
      ({ delimiter }) => text === delimiter || text === `${delimiter}--`,
    );
    const multipart = this.#enclosing[index];
    if (multipart === undefined) return false;
    if (this.#header !== null) this.#endHeader();
    this.#endLeaf(false);
    const last = text.length > multipart.delimiter.length;
    this.#enclosing.length = last ? index : index + 1;
    this.#between = last;
    this.#depth = multipart.depth;
    this.#prefix = multipart.prefix;
    this.#header = last ? null : [];
    this.#headerAt = this.#offset;
    return true;
  }

  #headerLine(line: Uint8Array, fresh: boolean): void {
    if (fresh && isBlank(line)) return this.#endHeader();
    this.#header?.push(line.slice());
    this.#headerBytes += line.length;
    if (this.#headerBytes > HEADER_BYTES) this.#endHeader(); // no header is so long: the rest is read as a body
  }

  #endHeader(): void {
    const raw = Buffer.concat(this.#header ?? []);
    this.#header = null;
    this.#headerBytes = 0;
    if (this.#isMessage) this.#emitHeader(raw);
    this.#isMessage = false;
    this.#enter(parseHeader(raw));
  }

  #enter(header: MailHeader): void {
    const multipart = header.type.startsWith('multipart/') && header.boundary !== null;
    const message = header.type === 'message/rfc822' && !/base64|quoted/.test(header.encoding);
    if ((multipart || message) && this.#depth >= this.#limits.mailDepth) {
      this.#trouble ??= 'limit: mail depth';
      return;
    }
    if (multipart) {
      this.#depth++;
      this.#enclosing.push({
        delimiter: `--${header.boundary?.trimEnd()}`,
        depth: this.#depth,
        prefix: this.#prefix,
      });
      this.#between = true;
    } else if (message) {
      this.#depth++;
      this.#prefix = `${this.#prefix}message `;
      this.#isMessage = true;
      this.#header = [];
      this.#headerAt = this.#offset;
    } else {
      this.#openLeaf(partName(header), fileName(header), header.encoding, this.#offset);
    }
  }

  #emitHeader(raw: Uint8Array): void {
    const text = readableHeader(raw);
    const charset = isUtf8(text) ? 'utf-8' : 'latin1';
    const start = text === raw ? this.#place.start + this.#headerAt : 0;
    const { sink } = this.#place;
    sink.begin({
      name: this.#named('headers'),
      format: 'eml',
      charset,
      origin: (offset) => offset + start,
      ...fieldsOf('eml', text),
    });
    if (text.length > 0) sink.text(text);
    sink.end();
  }

  #openLeaf(part: string, file: string, encoding: string, at: number): void {
    if (++this.#parts > this.#limits.mailParts) {
      this.#trouble ??= 'limit: mail parts';
      return;
    }
    const start = /base64|quoted/.test(encoding) ? 0 : this.#place.start + at;
    this.#leaf = new Leaf(file, encoding, { part: this.#named(part), start, sink: this.#place.sink });
  }

  #endLeaf(keepBreak: boolean): void {
    if (keepBreak) this.#leaf?.write(this.#break);
    this.#break = NOTHING;
    const refused = this.#leaf?.end() ?? null;
    this.#leaf = null;
    if (refused !== null) this.#trouble ??= `unsupported attachment: ${refused}`;
  }

  #named(part: string): string {
    const { part: outer } = this.#place;
    return `${outer === null ? '' : `${outer}/`}${this.#prefix}${part}`;
  }
}

/**
 * Mail: RFC 5322 (format), RFC 2045 and 2046 (MIME), RFC 2047 and 2231 (encoded headers).
 *
 * No library: postal-mime takes and returns the whole message in memory, and neither it nor mailparser tells where in the object a
 * body stands. Findings need that offset.
 */
import { isUtf8 } from 'node:buffer';
import type { ExtractionLimits } from '../../budget/limits.ts';
import { locationName, memberName } from '../../embedded-path.ts';
import type { ExtractionResult } from '../../extraction.ts';
import {
  type BufferedAttachment,
  type PartTarget,
  type PushParser,
  partialResult,
  readResult,
} from '../../push-parser.ts';
import { fieldLocatorOf } from '../../structure/field-locator.ts';
import { AttachmentBuffer } from './attachment-buffer.ts';
import {
  fileName,
  isAttachment,
  type MailHeader,
  parseHeader,
  partName,
  readableHeader,
} from './mail-header.ts';
import { Leaf, type LeafBuffers, type LeafType, leafBuffers } from './mail-leaf.ts';
import { BREAKS, isBlank, LineCutter, type LineTaker, lineEnd } from './mail-lines.ts';

const HEADER_BYTES = 256 * 1024;
const NOTHING: Uint8Array = new Uint8Array(0);

/** An enclosing multipart. */
interface Multipart {
  readonly delimiter: string; // "--" and the boundary
  readonly depth: number;
  readonly prefix: string;
}

/** Of a mail in a mailbox. */
export interface MailboxContext {
  /** What its parts are called begins with this. */
  readonly prefix: string;
  readonly buffers: LeafBuffers;
}

/**
 * Parses a mail: its headers as one part, then each body and text attachment. A body without transfer encoding keeps its offsets in the
 * object; a decoded one has its own. Lines are streamed, and only attachments that are not text are buffered: they are named like parts,
 * without the path of the mail itself.
 */
export function mailParser(
  target: PartTarget,
  limits: ExtractionLimits,
  mailbox?: MailboxContext,
): PushParser {
  return new MailParser(target, limits, mailbox);
}

class MailParser implements PushParser, LineTaker {
  readonly #target: PartTarget;
  readonly #limits: ExtractionLimits;
  readonly #buffers: LeafBuffers;
  readonly #lines = new LineCutter(this);
  readonly #enclosing: Multipart[] = [];
  #header: Uint8Array[] | null = [];
  #headerAt = 0;
  #headerBytes = 0;
  #isMessage = true; // the header is that of a mail, not of a part
  #leaf: Leaf | null = null;
  #between = false; // before the first part or after the last
  #break: Uint8Array = NOTHING; // the last line's end: it belongs to the delimiter if one follows
  #depth = 0;
  #prefix: string;
  #parts = 0;
  #offset = 0;
  #firstError: string | null = null;

  constructor(target: PartTarget, limits: ExtractionLimits, mailbox?: MailboxContext) {
    this.#target = target;
    this.#limits = limits;
    this.#prefix = mailbox?.prefix ?? '';
    this.#buffers = mailbox?.buffers ?? leafBuffers(new AttachmentBuffer(limits.heldBytes));
  }

  push(bytes: Uint8Array): void {
    const rest = this.#lines.push(bytes);
    if (rest === null) return;
    this.#leaf?.write(this.#break);
    this.#break = NOTHING;
    this.#leaf?.write(rest);
  }

  end(): ExtractionResult {
    this.#lines.end();
    if (this.#header !== null) this.#endHeader();
    if (this.#enclosing.length > 0) this.#firstError ??= 'corrupt: truncated mail';
    this.#endLeaf(true);
    return this.#firstError === null ? readResult('eml') : partialResult(this.#firstError, 'eml');
  }

  takeAttachments(): readonly BufferedAttachment[] {
    return this.#buffers.attachments.take();
  }

  get open(): boolean {
    return this.#leaf?.open === true;
  }

  /** There is no delimiter to search for, and the destination of the text is known. */
  get wantsNone(): boolean {
    return this.#enclosing.length === 0 && this.wantsDashes;
  }

  get wantsDashes(): boolean {
    return this.#header === null && (!this.#between || this.#leaf !== null);
  }

  line(line: Uint8Array, fresh: boolean): void {
    this.#offset += line.length;
    if (fresh && this.#delimiter(line)) return;
    if (this.#header !== null) return this.#headerLine(line, fresh);
    if (this.#between && this.#leaf === null && !isBlank(line)) {
      this.#openLeaf('text between parts', BETWEEN, this.#offset - line.length);
    }
    this.#write(line);
  }

  lines(lines: Uint8Array): void {
    this.#offset += lines.length;
    this.#write(lines);
  }

  #write(lines: Uint8Array): void {
    if (this.#leaf === null) return;
    const broken = lineEnd(lines);
    if (this.#break.length > 0) this.#leaf.write(this.#break);
    this.#leaf.write(lines.subarray(0, lines.length - broken));
    this.#break = BREAKS[broken]!;
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
    this.#header?.push(new Uint8Array(line));
    this.#headerBytes += line.length;
    if (this.#headerBytes > HEADER_BYTES) this.#endHeader(); // too long for a header: the rest is read as a body
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
    const message = header.type === 'message/rfc822' && !isWrapped(header.encoding);
    if ((multipart || message) && this.#depth >= this.#limits.mailDepth) {
      this.#firstError ??= 'limit: mail depth';
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
      this.#openLeaf(partName(header), leafKind(header), this.#offset);
    }
  }

  #emitHeader(raw: Uint8Array): void {
    const text = readableHeader(raw);
    const charset = isUtf8(text) ? 'utf-8' : 'latin1';
    const start = text === raw ? this.#target.start + this.#headerAt : 0;
    const { sink } = this.#target;
    sink.begin({
      name: this.#named('headers'),
      format: 'eml',
      charset,
      sourceOffset: (offset) => offset + start,
      ...fieldLocatorOf('eml', text),
    });
    if (text.length > 0) sink.text(text);
    sink.end();
  }

  #openLeaf(part: string, leafType: Omit<LeafType, 'heldAs'>, at: number): void {
    if (++this.#parts > this.#limits.mailParts) {
      this.#firstError ??= 'limit: mail parts';
      return;
    }
    const start = isWrapped(leafType.encoding) ? 0 : this.#target.start + at;
    const target = { part: this.#named(part), start, sink: this.#target.sink };
    this.#leaf = new Leaf({ ...leafType, heldAs: `${this.#prefix}${part}` }, target, this.#buffers);
  }

  #endLeaf(keepBreak: boolean): void {
    if (keepBreak) this.#leaf?.write(this.#break);
    this.#break = NOTHING;
    if (this.#leaf?.end() === false) this.#firstError ??= 'limit: attachment size';
    this.#leaf = null;
  }

  #named(part: string): string {
    const { part: outer } = this.#target;
    const own = `${this.#prefix}${part}`;
    return part.startsWith('attachment') ? memberName(outer, own) : locationName(outer, own);
  }
}

const BETWEEN = { is: 'body', file: 'between.txt', encoding: '' } as const;

function leafKind(header: MailHeader): Omit<LeafType, 'heldAs'> {
  const { type, encoding } = header;
  const is = type === 'message/rfc822' ? 'message' : isAttachment(header) ? 'attachment' : 'body';
  return { is, file: fileName(header), encoding };
}

function isWrapped(encoding: string): boolean {
  return /base64|quoted/.test(encoding);
}

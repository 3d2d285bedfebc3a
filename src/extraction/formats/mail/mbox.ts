import type { ExtractionLimits } from '../../budget/limits.ts';
import type { ExtractionResult } from '../../extraction.ts';
import {
  type BufferedAttachment,
  type PartTarget,
  type PushParser,
  partialResult,
  readResult,
} from '../../push-parser.ts';
import { AttachmentBuffer } from './attachment-buffer.ts';
import { mailParser } from './mail.ts';
import { type LeafBuffers, leafBuffers } from './mail-leaf.ts';

const START = Buffer.from('\nFrom ');
/** The separator before a mail, from the end of the line before the empty one. */
const BEFORE = ['\n\nFrom ', '\n\r\nFrom '];
const MAX_LINE_LENGTH = 1024;
const MAX_NAME_LENGTH = 128;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * An mbox file (RFC 4155): a sequence of mails. Each begins with a line `From sender date` after an empty one (or at the start), and is
 * parsed separately. Sentences may begin like that too, so a date and a header line must follow.
 */
export function mboxParser(target: PartTarget, limits: ExtractionLimits): PushParser {
  return new MboxParser(target, limits);
}

class MboxParser implements PushParser {
  readonly #target: PartTarget;
  readonly #limits: ExtractionLimits;
  readonly #buffers: LeafBuffers;
  #mail: PushParser | null = null;
  #count = 0;
  #offset = 0; // of what is passed on next
  #kept: Buffer = NOTHING; // the end of the previous bytes, in which a mail may begin
  #firstError: string | null = null;

  constructor(target: PartTarget, limits: ExtractionLimits) {
    this.#target = target;
    this.#limits = limits;
    this.#buffers = leafBuffers(new AttachmentBuffer(limits.heldBytes));
    this.#beginMail();
  }

  push(bytes: Uint8Array): void {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const all = this.#kept.length === 0 ? view : Buffer.concat([this.#kept, view]);
    const end = this.#pass(all, false);
    this.#kept = end === all.length ? NOTHING : Buffer.from(all.subarray(end));
  }

  end(): ExtractionResult {
    this.#pass(this.#kept, true);
    this.#endMail();
    return this.#firstError === null ? readResult('mbox') : partialResult(this.#firstError, 'mbox');
  }

  takeAttachments(): readonly BufferedAttachment[] {
    return this.#buffers.attachments.take();
  }

  get open(): boolean {
    return this.#mail?.open === true;
  }

  /** How many of the bytes are done with. */
  #pass(all: Buffer, last: boolean): number {
    let from = 0;
    for (let at = all.indexOf(START); at !== -1; at = all.indexOf(START, at + 1)) {
      const before = behindEmptyLine(all, at);
      const starts = before !== -1 && startsMail(all, at + 1, last);
      if (starts === 'cut off') return this.#passOn(all, from, before);
      if (!starts) continue;
      this.#passOn(all, from, at + 1);
      this.#endMail();
      this.#beginMail();
      from = at + 1;
    }
    return this.#passOn(all, from, last ? all.length : all.length - cutStart(all));
  }

  #passOn(all: Buffer, from: number, to: number): number {
    if (to > from) this.#mail?.push(all.subarray(from, to));
    this.#offset += to - from;
    return to;
  }

  #beginMail(): void {
    if (++this.#count > this.#limits.entries) {
      this.#firstError ??= 'limit: entries';
      return;
    }
    const { part, start, sink } = this.#target;
    const mailbox = { prefix: `message ${this.#count} `, buffers: this.#buffers };
    this.#mail = mailParser({ part, start: start + this.#offset, sink }, this.#limits, mailbox);
  }

  #endMail(): void {
    const result = this.#mail?.end();
    this.#mail = null;
    if (result !== undefined && result.state !== 'read') this.#firstError ??= result.reason;
  }
}

/** Where the line before the empty one ends, before the line end at `at`; -1: there is no empty line. */
function behindEmptyLine(all: Buffer, at: number): number {
  const before = all[at - 1] === 0x0d ? at - 2 : at - 1;
  return all[before] === 0x0a ? before : -1;
}

/** A mail begins at `at` if its first line has a time (or nothing at all), and the next is that of a header. */
function startsMail(all: Buffer, at: number, last: boolean): boolean | 'cut off' {
  const end = all.subarray(at, at + MAX_LINE_LENGTH).indexOf(0x0a);
  if (end === -1) return all.length < at + MAX_LINE_LENGTH && !last ? 'cut off' : false;
  const line = all.toString('latin1', at, at + end);
  if (!/\d:\d\d/.test(line) && !/^From -?\s*$/.test(line)) return false;
  const next = all.toString('latin1', at + end + 1, at + end + 1 + MAX_NAME_LENGTH);
  if (/^(?:[!-9;-~]+:|>From )/.test(next)) return true;
  return next.length < MAX_NAME_LENGTH && !last && /^[!-9;-~]*$/.test(next) ? 'cut off' : false;
}

/** The number of bytes at the end that may be part of a separator. */
function cutStart(all: Buffer): number {
  const end = all.toString('latin1', Math.max(0, all.length - 8));
  for (let length = end.length; length > 0; length--) {
    const tail = end.slice(-length);
    if (BEFORE.some((before) => before.startsWith(tail))) return length;
  }
  return 0;
}

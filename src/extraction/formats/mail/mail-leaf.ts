import { HEAD_BYTES, type PartTarget, type PushParser } from '../../push-parser.ts';
import { sniffType } from '../../sniff/sniff.ts';
import { textParser } from '../text.ts';
import type { AttachmentBuffer } from './attachment-buffer.ts';
import { type Transfer, transferOf } from './mail-transfer.ts';

/** The content type by the header. A mail that was transfer-encoded is buffered, because it has parts of its own. */
export interface LeafType {
  readonly is: 'body' | 'attachment' | 'message';
  /** Implies the text format. */
  readonly file: string;
  /** How its bytes were wrapped. */
  readonly encoding: string;
  /** Its name if it is buffered. */
  readonly heldAs: string;
}

/** Shared by the leaves of a mail, of which one is open at a time, and by the mails of a mailbox. */
export interface LeafBuffers {
  /** One byte more than a head, so that the first flush brings enough to decide. */
  readonly buffer: Uint8Array;
  readonly attachments: AttachmentBuffer;
}

export function leafBuffers(attachments: AttachmentBuffer): LeafBuffers {
  return { buffer: new Uint8Array(HEAD_BYTES + 1), attachments };
}

/** One body or attachment: it is decoded, classified by its content like any object, and read if it is text, else buffered. */
export class Leaf {
  readonly #leafType: LeafType;
  readonly #target: PartTarget;
  readonly #buffers: LeafBuffers;
  readonly #transfer: Transfer;
  #used = 0; // of the buffer
  #state: 'new' | 'text' | 'held' | 'full' = 'new';
  #parser: PushParser | null = null;

  constructor(leafType: LeafType, target: PartTarget, buffers: LeafBuffers) {
    this.#leafType = leafType;
    this.#target = target;
    this.#buffers = buffers;
    this.#transfer = transferOf(leafType.encoding, (bytes) => this.#collect(bytes));
  }

  /** Its text has begun. */
  get open(): boolean {
    return this.#parser !== null;
  }

  write(bytes: Uint8Array): void {
    if (this.#state !== 'full') this.#transfer.write(bytes);
  }

  /** false: it was buffered, and exceeded the limit. */
  end(): boolean {
    this.#transfer.end();
    this.#flush(true);
    this.#parser?.end();
    this.#parser = null;
    if (this.#state === 'held' || this.#state === 'full')
      this.#buffers.attachments.end(this.#leafType.heldAs);
    return this.#state !== 'full';
  }

  /** Lines are short, so they are joined to fewer and longer chunks. */
  #collect(bytes: Uint8Array): void {
    const { buffer } = this.#buffers;
    for (let from = 0; from < bytes.length; ) {
      if (this.#state !== 'new' && this.#used === 0 && bytes.length - from > HEAD_BYTES) {
        return this.#give(bytes.subarray(from));
      }
      const end = Math.min(bytes.length, from + buffer.length - this.#used);
      buffer.set(bytes.subarray(from, end), this.#used);
      this.#used += end - from;
      from = end;
      if (this.#used === buffer.length) this.#flush(false);
    }
  }

  #flush(last: boolean): void {
    const bytes = this.#buffers.buffer.subarray(0, this.#used);
    this.#used = 0;
    if (this.#state === 'new') this.#decide(bytes.subarray(0, HEAD_BYTES), last);
    if (bytes.length > 0) this.#give(bytes);
  }

  #give(bytes: Uint8Array): void {
    this.#parser?.push(bytes);
    if (this.#state === 'held' && !this.#buffers.attachments.add(bytes)) this.#state = 'full';
  }

  #decide(head: Uint8Array, whole: boolean): void {
    const { is, file } = this.#leafType;
    const type = sniffType(file, head, whole);
    // A mail quoted in a letter is part of its text, even if it looks like a mail itself.
    const mail = type.is === 'text' && (type.format === 'eml' || type.format === 'mbox');
    if (type.is !== 'text' || is === 'message' || (is === 'attachment' && mail)) {
      this.#state = 'held';
      return;
    }
    this.#state = 'text';
    this.#parser = textParser(type.format, type.encoding, this.#target);
  }
}

import type { BufferedAttachment } from '../../push-parser.ts';

/** Buffers attachments that are not text until they are taken, up to a limit. */
export class AttachmentBuffer {
  readonly #max: number;
  #complete: BufferedAttachment[] = [];
  #current: Uint8Array[] = [];
  #bytes = 0; // of all attachments in the buffer, including the current one

  constructor(max: number) {
    this.#max = max;
  }

  /** Appends to the current attachment. Returns false if it did not fit completely. The bytes are copied. */
  add(bytes: Uint8Array): boolean {
    // A Buffer's own slice would not copy.
    const kept = new Uint8Array(bytes.subarray(0, Math.max(0, this.#max - this.#bytes)));
    if (kept.length > 0) this.#current.push(kept);
    this.#bytes += kept.length;
    return kept.length === bytes.length;
  }

  /** Ends the current attachment, which may have been truncated. */
  end(name: string): void {
    if (this.#current.length > 0) this.#complete.push({ name, bytes: this.#current });
    this.#current = [];
  }

  take(): readonly BufferedAttachment[] {
    const taken = this.#complete;
    if (taken.length === 0) return taken;
    for (const { bytes } of taken) for (const chunk of bytes) this.#bytes -= chunk.length;
    this.#complete = [];
    return taken;
  }
}

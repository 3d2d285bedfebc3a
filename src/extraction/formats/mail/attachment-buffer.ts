import type { BufferedAttachment } from '../../push-parser.ts';

/** Attachments that are no text: their bytes are gathered until somebody takes them, as far as there is room. */
export class AttachmentBuffer {
  readonly #max: number;
  #complete: BufferedAttachment[] = [];
  #current: Uint8Array[] = [];
  #bytes = 0; // of all that wait, that at hand included

  constructor(max: number) {
    this.#max = max;
  }

  /** Of the attachment at hand. false: there was no room for all of it. The bytes are copied. */
  add(bytes: Uint8Array): boolean {
    // A Buffer's own slice would not copy.
    const kept = new Uint8Array(bytes.subarray(0, Math.max(0, this.#max - this.#bytes)));
    if (kept.length > 0) this.#current.push(kept);
    this.#bytes += kept.length;
    return kept.length === bytes.length;
  }

  /** The one at hand is complete, or as much of it as there was room for. */
  end(name: string): void {
    if (this.#current.length > 0) this.#complete.push({ name, bytes: this.#current });
    this.#current = [];
  }

  take(): readonly BufferedAttachment[] {
    const taken = this.#complete;
    if (taken.length === 0) return taken;
    for (const { bytes } of taken) for (const piece of bytes) this.#bytes -= piece.length;
    this.#complete = [];
    return taken;
  }
}

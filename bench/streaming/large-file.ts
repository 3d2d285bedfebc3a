/** A file that is written incrementally, with its length and checksum. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Block } from './rows.ts';

export class LargeFile {
  readonly #file: number;
  readonly path: string;
  /** Of the file. */
  bytes = 0;
  /** Of what is compressed in it. */
  inside = 0;
  crc = 0;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'w');
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at);
    this.bytes += bytes.length;
  }

  deflated({ text, deflated }: Block): void {
    this.write(deflated);
    this.crc = crc32(text, this.crc);
    this.inside += text.length;
  }

  /** Something that is known only now. */
  patch(bytes: Uint8Array, at: number): void {
    writeSync(this.#file, bytes, 0, bytes.length, at);
  }

  close(): void {
    closeSync(this.#file);
  }
}

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Crc64 } from './crc64.ts';

/** The checksum after a block of xz. */
export interface BlockCheck {
  readonly size: number;
  update(bytes: Uint8Array): void;
  /** Null: a reserved check type, whose bytes are ignored. */
  digest(): Uint8Array | null;
}

const SIZES = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];

export function blockCheck(kind: number): BlockCheck {
  if (kind === 1) return checkCrc32();
  if (kind === 4) {
    const crc = new Crc64();
    return { size: 8, update: (bytes) => crc.update(bytes), digest: () => crc.digest() };
  }
  if (kind === 10) {
    const hash = createHash('sha256');
    return { size: 32, update: (bytes) => hash.update(bytes), digest: () => hash.digest() };
  }
  return { size: SIZES[kind]!, update: () => {}, digest: () => null };
}

function checkCrc32(): BlockCheck {
  let crc = 0;
  return {
    size: 4,
    update: (bytes) => {
      crc = crc32(bytes, crc);
    },
    digest: () => {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setUint32(0, crc, true);
      return bytes;
    },
  };
}

/**
 * A finding's fingerprint: a keyed hash of the value, equal for equal values, useless without the key.
 * HMAC-SHA-256 (RFC 2104) on one-shot hashes, which is several times faster per finding than an Hmac
 * object.
 */
import { hash } from 'node:crypto';

const BLOCK = 64;
const SHOWN = 32; // hexadecimal digits: 128 bits

export class Fingerprint {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** `key`: at most one block long. */
  constructor(key: Uint8Array) {
    this.#inner = padded(key, 0x36);
    this.#outer = padded(key, 0x5c);
  }

  /** Normalised, so that `4111 1111…` and `4111-1111…` are one card. Secrets are not normalised. */
  of(detector: { readonly id: string; readonly category: string }, value: string): string {
    const plain = detector.category === 'credential' ? value : value.replace(/[\s.()-]/g, '').toLowerCase();
    return this.hmac(Buffer.from(`${detector.id}\0${plain}`)).slice(0, SHOWN);
  }

  hmac(message: Uint8Array): string {
    const inner = hash('sha256', Buffer.concat([this.#inner, message]), 'buffer');
    return hash('sha256', Buffer.concat([this.#outer, inner]), 'hex');
  }
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK, pad);
  for (const [i, byte] of key.entries()) block[i]! ^= byte;
  return block;
}

/**
 * The form in which keys are stored in the database. A name can contain a value (`hr/219-73-8264.txt`), and values are never
 * stored in plain text. But keys are needed again: to continue after a crash, to retry, to explain. So such a key is stored
 * with the value masked and, beside it, encrypted with a key that the database does not have.
 *
 * Encryption is deterministic (AES-256-CTR with an HMAC of the plaintext as synthetic IV): equal keys must be equal in the
 * database. The IV also authenticates the plaintext, and thereby the secret, when the key is decrypted.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { SeineError } from './errors.ts';
import { type Key, keyBytes, keyFromBytes, parseSealedKey, SEAL } from './key.ts';

/** Converts keys to and from their stored form. */
export interface KeyCodec {
  seal(key: Key): Key;
  open(stored: Key): Key;
}

/** Names contain no values, or are not masked. */
export const PLAIN_KEYS: KeyCodec = { seal: (key) => key, open: (stored) => stored };

const IV_BYTES = 16;
const TAG_DIGITS = 8;

export class KeyCipher {
  readonly #encryption: Buffer;
  readonly #authentication: Buffer;

  /** `secret`: the fingerprint key, which is never in the database. */
  constructor(secret: Uint8Array) {
    const derived = Buffer.from(hkdfSync('sha256', secret, '', 'seine sealed keys', 64));
    this.#encryption = derived.subarray(0, 32);
    this.#authentication = derived.subarray(32);
  }

  /** Distinguishes names that are equal once they are masked. */
  tagOf(bytes: Uint8Array): string {
    return this.#ivOf(bytes).toString('hex').slice(0, TAG_DIGITS);
  }

  /** `at`: where the first value starts; `masked`: the displayed text from there on. */
  seal(key: Key, at: number, masked: Key): Key {
    const end = key.endsWith('\0') ? '\0' : '';
    const token = this.encrypt(keyBytes(key.slice(0, key.length - end.length) as Key));
    const shown = masked.slice(0, masked.length - end.length).replaceAll('\0', '?');
    return `${key.slice(0, at).replaceAll('\0', '\x01')}${SEAL}${shown}\0${token}${end}` as Key;
  }

  /** Keys that are not sealed are returned unchanged. */
  open(stored: Key): Key {
    const sealed = parseSealedKey(stored);
    if (sealed === null) return stored;
    return (keyFromBytes(this.decrypt(sealed.token)) + sealed.end) as Key;
  }

  encrypt(bytes: Uint8Array): string {
    const iv = this.#ivOf(bytes);
    const cipher = createCipheriv('aes-256-ctr', this.#encryption, iv);
    return Buffer.concat([iv, cipher.update(bytes), cipher.final()]).toString('base64url');
  }

  decrypt(token: string): Buffer {
    const sealed = Buffer.from(token, 'base64url');
    const iv = sealed.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-ctr', this.#encryption, iv);
    const bytes = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()]);
    if (this.#ivOf(bytes).equals(iv)) return bytes;
    throw new SeineError('conflict', 'A name or an address cannot be decrypted with this fingerprint key.', {
      hint: 'Use the key of the installation that stored it: restore fingerprint.key or set SEINE_FINGERPRINT_KEY.',
    });
  }

  #ivOf(bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#authentication).update(bytes).digest().subarray(0, IV_BYTES);
  }
}

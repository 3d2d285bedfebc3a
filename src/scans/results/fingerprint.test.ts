import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Fingerprint } from './fingerprint.ts';

const card = { id: 'CREDIT_CARD', category: 'financial' };
const password = { id: 'PASSWORD', category: 'credential' };

describe('a fingerprint', () => {
  it('is the HMAC of the standard library', () => {
    const key = randomBytes(32);
    for (const length of [0, 1, 63, 64, 65, 1000]) {
      const message = randomBytes(length);
      expect(new Fingerprint(key).hmac(message)).toBe(
        createHmac('sha256', key).update(message).digest('hex'),
      );
    }
  });

  it('is equal for the same card in another spelling', () => {
    const fingerprint = new Fingerprint(randomBytes(32));
    expect(fingerprint.of(card, '4111-1111-1111-1111')).toBe(fingerprint.of(card, '4111 1111 1111 1111'));
  });

  it('does not normalise secrets', () => {
    const fingerprint = new Fingerprint(randomBytes(32));
    expect(fingerprint.of(password, 'Hunter-2')).not.toBe(fingerprint.of(password, 'hunter2'));
  });

  it('differs by key and by kind', () => {
    const fingerprint = new Fingerprint(randomBytes(32));
    expect(fingerprint.of(card, 'x')).not.toBe(new Fingerprint(randomBytes(32)).of(card, 'x'));
    expect(fingerprint.of(card, 'x')).not.toBe(fingerprint.of({ ...card, id: 'IBAN' }, 'x'));
  });
});

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hmacSignature, verifySignature } from './signature.ts';

const now = 1_750_000_000;
const body = '{"event":"scan.ended"}';
const signed = (secret: string, timestamp = now, text = body) => ({
  signature: hmacSignature(secret, timestamp, text),
  timestamp: String(timestamp),
  body: text,
});

describe('the signature of a delivery', () => {
  it('is the HMAC of time and body under the secret', () => {
    const hmac = createHmac('sha256', 'key').update('1750000000.{"event":"scan.ended"}').digest('hex');
    expect(hmacSignature('key', now, body)).toBe(`v1=${hmac}`);
  });

  it('passes with the secret it was made with, and with one of two while it is changed', () => {
    expect(verifySignature(signed('key'), { secrets: ['key'], now })).toBe(true);
    expect(verifySignature(signed('key'), { secrets: ['new', 'key'], now })).toBe(true);
  });

  it('passes when one of several signatures fits', () => {
    const received = signed('key');
    const both = { ...received, signature: `v1=00, ${received.signature}` };
    expect(verifySignature(both, { secrets: ['key'], now })).toBe(true);
  });

  it('fails with another secret, another body, another time, or without one', () => {
    const received = signed('key');
    const check = (changed: object, secret = 'key') =>
      verifySignature({ ...received, ...changed }, { secrets: [secret], now });
    expect(check({}, 'other')).toBe(false);
    expect(check({ body: `${body} ` })).toBe(false);
    expect(check({ timestamp: String(now + 1) })).toBe(false);
    expect(check({ signature: undefined })).toBe(false);
    expect(check({ signature: received.signature.slice(3) })).toBe(false);
    expect(check({ timestamp: undefined })).toBe(false);
    expect(check({ timestamp: 'soon' })).toBe(false);
    expect(verifySignature(received, { secrets: [], now })).toBe(false);
  });

  it('is worth nothing after five minutes, nor five minutes before', () => {
    const at = (seconds: number) => verifySignature(signed('key'), { secrets: ['key'], now: now + seconds });
    expect([at(300), at(-300)]).toEqual([true, true]);
    expect([at(301), at(-301)]).toEqual([false, false]);
    expect(verifySignature(signed('key'), { secrets: ['key'], now: now + 301, toleranceSeconds: 600 })).toBe(
      true,
    );
  });

  it('passes for whatever was signed, and for nothing else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (text, secret, other) => {
        const received = signed(secret, now, text);
        expect(verifySignature(received, { secrets: [secret], now })).toBe(true);
        const changed = verifySignature({ ...received, body: other }, { secrets: [secret], now });
        expect(changed).toBe(Buffer.from(text).equals(Buffer.from(other)));
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { openUrl, sealUrl } from './webhook-url.ts';

const secret = Buffer.alloc(32, 7);

describe('the address of a webhook', () => {
  it.each([
    'https://hooks.example.com/seine?token=Zq81Lm',
    `https://hooks.slack.com/services/${['T01ABCDEF23', 'B01ABCDEF45', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('/')}`,
  ])('that may hold a secret is stored encrypted: %s', (url) => {
    const stored = sealUrl(url, secret);
    expect(stored).not.toContain('hooks');
    expect(openUrl(stored, secret)).toBe(url);
    expect(() => openUrl(stored, Buffer.alloc(32, 8))).toThrow('fingerprint key');
  });

  it.each(['https://hooks.example.com/seine', `https://hooks.example.com/${'$'}{TOKEN}?a=b`])(
    'that holds none is stored as it is: %s',
    (url) => {
      expect(sealUrl(url, secret)).toBe(url);
      expect(openUrl(url, secret)).toBe(url);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { createSigner, encodeStrictly } from './s3-signing.ts';

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const host = 'examplebucket.s3.amazonaws.com';
const then = new Date('2013-05-24T00:00:00.000Z');

describe('a signature', () => {
  // The provider's own examples.
  it.each([
    [
      'of an object',
      { path: '/test.txt', query: '', headers: { range: 'bytes=0-9' } },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'of a listing',
      { path: '/', query: 'max-keys=2&prefix=J', headers: {} },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s is the one that the provider expects', (_what, request, signature) => {
    const { authorization } = createSigner('us-east-1')({ host, ...request }, credentials, then);
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\//,
    );
    expect(authorization).toContain(`Signature=${signature}`);
  });

  it('depends on day, secret and session, although keys are cached', () => {
    const sign = createSigner('us-east-1');
    const request = { host, path: '/', query: '', headers: {} };
    const of = (more: object, now = then) => sign(request, { ...credentials, ...more }, now).authorization;
    const all = [of({}), of({ secretAccessKey: 'x' }), of({ sessionToken: 't' }), of({}, new Date(0))];
    expect(new Set(all).size).toBe(4);
    expect(of({})).toBe(all[0]);
    expect(sign(request, { ...credentials, sessionToken: 't' }, then)['x-amz-security-token']).toBe('t');
  });

  it('covers names in which all but a few characters are encoded', () => {
    expect(encodeStrictly("a-._~!'()* é/+")).toBe('a-._~%21%27%28%29%2A%20%C3%A9%2F%2B');
  });
});

import { expect, it } from 'vitest';
import { basicCredentials } from './basic-credentials.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64');

it('the example of RFC 7617 is published', () => {
  expect(basicCredentials('QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toBe('published');
});

it.each(['svc:tr0ub4dor&3', 'a:b c d', 'key_7f3a:y2'])('%j may be real credentials', (pair) => {
  expect(basicCredentials(encoded(pair))).toBe('real');
});

it.each(['no colon at all', ':no-user', 'no-password:', 'user:xxxxxxxx', 'user:<password>', 'u:\x01\x02'])(
  'rejects %j',
  (pair) => {
    expect(basicCredentials(encoded(pair))).toBe('none');
  },
);

it('words are no base64 of anything', () => {
  expect(basicCredentials('authentication')).toBe('none');
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shape } from '../../extraction.fixture.ts';
import { attached, crlf, HEAD, multipart, viaParser } from './mail.fixture.ts';
import { mailParser } from './mail.ts';
import { mboxParser } from './mbox.ts';

const inner = crlf(
  ...HEAD,
  'Content-Type: multipart/alternative; boundary=i',
  '',
  '--i',
  '',
  'inner',
  '--i--',
);
const mail = multipart(
  ['', 'plain text', '--not a delimiter', '-', '--'],
  [
    'Content-Type: text/html',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>J=C3=BCrgen &amp; <b>4</b>1=',
    '11</p>',
  ],
  attached('a.pdf', '%PDF-1.4 page'),
  attached('people.csv', 'id,name\n1,Ann\n'),
  attached('card.vcf', 'BEGIN:VCARD\r\nNOTE:a\r\n b\r\nEND:VCARD\r\n'),
  attached('fwd.eml', inner, 'message/rfc822'),
  ['Content-Type: message/rfc822', '', ...inner.toString().split('\r\n')],
);
const box = Buffer.concat(
  [mail, inner, mail].flatMap((one, n) => [
    Buffer.from(`From a@b.c Mon 10:0${n}\r\n`),
    one,
    Buffer.from('\r\n\r\n'),
  ]),
);

type Change = readonly [kind: 'byte' | 'drop' | 'twice' | 'cut', at: number, more: number];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('byte' as const, 'drop' as const, 'twice' as const, 'cut' as const),
  fc.nat(10_000),
  fc.nat(300),
);
const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 });

function changed(good: Buffer, changes: readonly Change[]): Buffer {
  return changes.reduce<Buffer>((bytes, [kind, place, more]) => {
    const at = bytes.length === 0 ? 0 : place % bytes.length;
    if (kind === 'cut') return bytes.subarray(0, Math.max(at, bytes.length - more));
    if (kind === 'drop') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + more)]);
    if (kind === 'twice') return Buffer.concat([bytes.subarray(0, at + more), bytes.subarray(at)]);
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[at] = more & 0xff;
    return copy;
  }, good);
}

it.each([
  ['a mail', mailParser, mail],
  ['a mailbox', mboxParser, box],
] as const)(
  '%s that was damaged is read as far as it goes, the same way however it arrives',
  (_, take, good) => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), sizes, (changes, cuts) => {
        const bytes = changed(good, changes);
        const whole = viaParser(take, bytes);
        const cut = viaParser(take, bytes, cuts);
        expect(shape(cut)).toEqual(shape(whole));
        expect(cut.attachments).toEqual(whole.attachments);
        const out = [...whole.parts, ...whole.attachments].reduce((sum, { text }) => sum + text.length, 0);
        expect(out).toBeLessThanOrEqual(2 * bytes.length);
      }),
      { numRuns: 400 },
    );
  },
);

import { describe, expect, it } from 'vitest';
import { viaStream } from './extraction.fixture.ts';
import { HEAD_BYTES } from './push-parser.ts';
import { seekableText } from './seekable-text.ts';

const rows = 'id,mail,note\n'.concat('7,jane@acme.example,"some; words"\n'.repeat(4000));

describe('a text that can be read from anywhere', () => {
  it('is described by its head as by reading it from the beginning', async () => {
    for (const [name, bytes] of [
      ['people.csv', Buffer.from(rows)],
      ['people.csv', Buffer.from(`\ufeff${rows}`)],
      ['people.tsv', Buffer.from(rows.replaceAll(',', '\t'))],
      ['old.txt', Buffer.from('gr\xfc\xdfe an alle '.repeat(9000), 'latin1')],
      ['small.ini', Buffer.from('[mail]\nadmin = jane@acme.example\n')],
    ] as const) {
      const { part: expected } = (await viaStream(name, bytes)).parts[0]!;
      const found = seekableText(name, bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES)!;
      const { sourceOffset, fieldAt, ...same } = found.part;
      expect(expected).toMatchObject(same);
      expect(same.columns).toEqual(expected.columns);
      expect(sourceOffset(5)).toBe(expected.sourceOffset(5));
      expect(sourceOffset(0)).toBe(found.bomLength);
      const window = bytes.subarray(found.bomLength, 3000);
      for (let at = 0; at < window.length; at += 7)
        expect(fieldAt(window, at)).toBe(expected.fieldAt(window, at));
    }
  });

  it('is neither compressed nor wide nor a mail nor rewritten, and it is text', () => {
    const mail = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\n\r\nhello';
    for (const bytes of [
      Buffer.from('\x1f\x8b\x08\0', 'latin1'),
      Buffer.from(`\ufeff${rows}`, 'utf16le'),
      Buffer.from(mail),
      Buffer.from(`From ann@example.com Mon Jan  1 10:00:00 2024\n${mail}`),
      Buffer.from('<!doctype html><p>a &amp; b'),
      Buffer.from('<?xml version="1.0"?><a>b</a>'),
      Buffer.from('BEGIN:VCARD\r\nEND:VCARD\r\n'),
      Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'),
      Buffer.alloc(1000),
    ])
      expect(seekableText('none', bytes, true)).toBeNull();
  });
});

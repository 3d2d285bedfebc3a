import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { memory, type Tree, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import { compressRtf } from './compressed-rtf.fixture.ts';
import { type MessageFixture, messageTree } from './outlook-message.fixture.ts';
import { readOutlookMessage } from './outlook-message.ts';

async function readTree(tree: Tree, budget = new ExtractionBudget()) {
  return readFile(writeCompoundFile(tree), budget);
}

async function readFile(file: Buffer, budget = new ExtractionBudget()) {
  const opened = openCompoundFile(memory(file));
  return gather(
    (async function* () {
      const { root } = await opened;
      yield* readOutlookMessage(root, budget, async function* () {
        yield { is: 'text', location: null, text: Buffer.from('of an object') };
      });
    })(),
  );
}

const readMessage = (message: MessageFixture, budget?: ExtractionBudget) =>
  readTree(messageTree(message), budget);

const FULL: MessageFixture = {
  properties: {
    '0037001F': 'Invoice Ω',
    '00390040': new Date('2024-02-01T10:20:30Z'),
    '0042001F': 'Ann Smith',
    '5D02001F': 'ann@example.org',
    '0C1A001F': 'Office',
    '0C1F001F': 'office@example.org',
    '0E04001F': 'Bob; Carl',
    '007D001F': 'Received: from mail.example.org\r\nX-Id: 7\r\n',
    '1000001F': 'Dear Bob,\r\nmy card is 4111111111111111.\r\n',
    '10130102': Buffer.from('<p>Dear Bob</p>'),
    '10090102': compressRtf('{\\rtf1 not read}'),
    '3A1C001F': '+1 555 0100',
    '8012001F': 'of a named property',
    '001A001F': 'IPM.Note',
  },
  recipients: [
    { '3001001F': 'Bob', '39FE001F': 'bob@example.org', '0C150003': 1 },
    { '3001001F': 'carl@example.org', '3003001F': 'carl@example.org', '0C150003': 2 },
  ],
  attachments: [
    {
      properties: {
        '3707001F': 'a long name.txt',
        '3704001F': 'ALONGN~1.TXT',
        '37010102': Buffer.from('inside'),
      },
    },
    { properties: { '37010102': Buffer.alloc(100_000, 'x') } },
  ],
};

describe('messages of Outlook', () => {
  it('have a head, a body, properties and attachments', async () => {
    const read = await readMessage(FULL);
    expect(read.error).toBeNull();
    expect(placesOf(read)).toEqual({
      headers:
        'Subject: Invoice Ω\nDate: 2024-02-01T10:20:30.000Z\nFrom: Ann Smith <ann@example.org>\n' +
        'Sender: Office <office@example.org>\nTo: Bob <bob@example.org>\nCc: carl@example.org\nTo: Carl\n' +
        'Received: from mail.example.org\r\nX-Id: 7\r\n',
      body: 'Dear Bob,\r\nmy card is 4111111111111111.\r\n',
      properties: expect.stringMatching(
        /^(Mobile phone: \+1 555 0100\nof a named property|of a named property\nMobile phone: \+1 555 0100)\n$/,
      ),
    });
    expect(read.entries.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['body.html', 15],
      ['a long name.txt', 6],
      ['attachment 2', 100_000],
    ]);
  });

  it('may be older than Unicode', async () => {
    const read = await readMessage({
      properties: {
        '0037001E': '\xcf\xf0',
        '3FFD0003': 1251,
        '1000001E': 'plain',
        '1013001E': '<b>\xcf</b>',
      },
      recipients: [{ '3001001E': '\xcf', '0C150003': 3 }],
    });
    expect(placesOf(read)).toEqual({ headers: 'Subject: Пр\nBcc: П\n', body: 'plain' });
    expect(read.entries[0]?.bytes.toString()).toBe('<b>П</b>');
  });

  it('may have their body in RTF only', async () => {
    const body = "{\\rtf1\\ansi{\\info{\\author Ann}}caf\\'e9\\par 4111111111111111}";
    const read = await readMessage({ properties: { '10090102': compressRtf(body) } });
    expect(placesOf(read)).toEqual({ 'body/properties': 'author: Ann\n', body: 'café\n4111111111111111' });
  });

  it('may be attached to each other', async () => {
    const inner = messageTree({ properties: { '0037001F': 'inner', '1000001F': 'inner body' } }, true);
    const middle = messageTree(
      {
        properties: { '0037001F': 'middle', '0E060040': new Date(0) },
        attachments: [
          { object: inner },
          { properties: { '3707001F': 'x.txt', '37010102': Buffer.from('x') } },
        ],
      },
      true,
    );
    const read = await readMessage({ properties: {}, attachments: [{ object: middle }] });
    expect(placesOf(read)).toEqual({
      'message 1 headers': 'Subject: middle\nDate: 1970-01-01T00:00:00.000Z\n',
      'message 1 message 2 headers': 'Subject: inner\n',
      'message 1 message 2 body': 'inner body',
    });
    expect(read.entries).toEqual([{ name: 'message 1 x.txt', bytes: Buffer.from('x') }]);
  });

  it('may have other documents attached', async () => {
    const read = await readMessage({
      properties: {},
      attachments: [{ object: { WordDocument: Buffer.alloc(9) } }],
    });
    expect(read.texts).toEqual([{ location: 'attachment 1', text: 'of an object' }]);
  });
});

describe('hostile messages of Outlook', () => {
  const nested = (depth: number): Tree => {
    const attachments = [
      ...(depth > 1 ? [{ object: nested(depth - 1) }] : []),
      { properties: { '37010102': Buffer.of(1) } },
    ];
    return messageTree({ properties: { '0037001F': `depth ${depth}` }, attachments }, true);
  };

  it('are read up to a depth, siblings included', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, mailDepth: 3 });
    const read = await readTree(nested(5), budget);
    expect(read.error).toBe('limit: mail depth');
    expect(read.texts.length).toBe(3);
    expect(read.entries.length).toBe(3);
  });

  it('have a limit of parts', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, mailParts: 1 });
    const read = await readMessage(FULL, budget);
    expect(read.error).toBe('limit: mail parts');
    expect(read.entries.length).toBe(2);
  });

  it('lose no attachment for a broken body', async () => {
    const rtf = compressRtf('{\\rtf1 text that is cut').subarray(0, 30);
    const read = await readMessage({ properties: { '10090102': rtf }, attachments: FULL.attachments! });
    expect(read.error).toBe('corrupt: truncated compressed RTF');
    expect(placesOf(read).body).toContain('te');
    expect(read.entries.length).toBe(2);
  });

  it('have times that no calendar has', async () => {
    const time = messageTree({ properties: { '00390040': new Date(0), '0037001F': 's' } });
    (time['__properties_version1.0'] as Buffer).fill(0xff, 32 + 8, 32 + 16);
    expect(placesOf(await readTree(time))).toEqual({ headers: 'Subject: s\n' });
  });

  it('fail cleanly for any changed or missing bytes', { timeout: 60_000 }, async () => {
    const inner = messageTree({ properties: { '1000001F': 'inner' }, attachments: FULL.attachments! }, true);
    const good = writeCompoundFile(
      messageTree({
        ...FULL,
        attachments: [{ object: inner }, { properties: { '37010102': Buffer.alloc(50) } }],
      }),
    );
    const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(change, fc.nat(4 * good.length), async (changes, end) => {
        const bad = Buffer.from(good.subarray(0, end));
        for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
        const { length } = await readFile(bad);
        expect(length).toBeLessThan(20 * good.length);
      }),
      { numRuns: 1500 },
    );
  });
});

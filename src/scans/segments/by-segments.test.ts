/**
 * Any segmentation gives exactly the result of inspecting the whole: offsets, lines, columns, fields,
 * counts, score.
 */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { Inspection } from '../results/inspection.ts';
import { inspectSteps, inspectWhole, joined } from './by-segments.fixture.ts';

const LENGTH = 260_000;
const RUNS = 8;
vi.setConfig({ testTimeout: 60_000 });
const KEY = 'AKIAQYLPMN5HHHFPZAM2';
const PEM_LINE = 'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA\n';
const PEM = `-----BEGIN PRIVATE KEY-----\n${PEM_LINE.repeat(30)}-----END PRIVATE KEY-----`;
const values = fc.constantFrom(
  'jane.doe@acme.example',
  'SSN: 536-22-8741',
  '536-22-8741',
  'ssn\n536228741',
  'Social security number:\r\n536228741',
  '4539 1488 0343 6467',
  'GB82WEST12345698765432',
  '52.94.136.48',
  `aws_access_key_id = ${KEY}`,
  'password: "correct-Horse7battery"',
  'date of birth: 1984-03-12',
  '+49 30 901820',
  PEM,
);

/** The positions of the values, as a distance before or after a segment boundary. */
const plan = fc.record({
  cuts: fc.array(fc.nat(LENGTH), { minLength: 1, maxLength: 6 }),
  planted: fc.array(
    fc.record({ value: values, cut: fc.nat(5), at: fc.integer({ min: -60, max: 10 }), far: fc.nat(40) }),
    { maxLength: 12 },
  ),
  maxFindingsPerType: fc.constantFrom<number>(2, 1000),
  order: fc.constantFrom('forward' as const, 'backward' as const, 'pairs' as const),
});
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never;

/** The text with the values written over it, most of them across a boundary. */
function plant(text: Buffer, { cuts, planted }: Plan): Buffer {
  const bytes = Buffer.from(text);
  for (const { value, cut, at, far } of planted) {
    const offset = Math.max(0, (cuts[cut % cuts.length]! + at + far * 997) % bytes.length);
    bytes.write(` ${value} `, offset);
  }
  return bytes;
}

function filled(line: (n: number) => string, head = ''): Buffer {
  let text = head;
  for (let n = 0; text.length < LENGTH; n++) text += line(n);
  return Buffer.from(text);
}

async function compare(
  name: string,
  bytes: Buffer,
  { cuts, maxFindingsPerType, order }: Plan,
): Promise<Inspection> {
  const source = createMemorySource({}, { piece: 50_000 });
  source.put(keyOf(name), bytes);
  const object = { key: keyOf(name), size: bytes.length, modified: null, identity: 'v1' };
  const whole = await inspectWhole(source, object, maxFindingsPerType);
  const results = await inspectSteps(source, object, cuts, maxFindingsPerType);
  expect(joined(results, maxFindingsPerType, order)).toEqual(whole);
  return whole;
}

/** `least`: the minimum number of findings in all runs together, so that the test is not vacuous. */
async function holds(name: string, text: Buffer, least: number, numRuns = RUNS): Promise<void> {
  let total = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (one) => {
      const { counts } = await compare(name, plant(text, one), one);
      total += Object.values(counts).reduce((sum, n) => sum + n, 0);
    }),
    { numRuns },
  );
  expect(total).toBeGreaterThanOrEqual(least);
}

const words = 'the net was hauled at dawn and nothing in it had a name of its own';

describe('reading by parts gives what reading the whole gives', () => {
  it('in running text', () =>
    holds(
      'a.txt',
      filled((n) => `${n} ${words}\n`),
      3,
    ));

  it('in lines that end in CR LF, some of them empty', () =>
    holds(
      'a.log',
      filled((n) => (n % 3 === 0 ? '\r\n\r\n' : `${n} level=info ${words}\r\n`)),
      3,
    ));

  it('without a single line end', () =>
    holds(
      'a.txt',
      filled((n) => `${words} ${n}, `),
      3,
    ));

  it('in text of characters of several bytes', () =>
    holds(
      'a.txt',
      filled((n) => `${n} größe 名前 ✂ 😀 ${words.slice(n % 7)}\n`),
      3,
    ));

  it('in text of an older encoding', () =>
    holds('a.txt', Buffer.from(filled((n) => `gr\u00f6\u00dfe ${n} ${words}\n`).toString(), 'latin1'), 3));

  it('behind a byte order mark', () =>
    holds(
      'a.csv',
      filled((n) => `${n},${words}\n`, '\ufeffid,note\n'),
      3,
    ));

  it('in a table with line ends and delimiters in quotes', () => {
    const row = (n: number) =>
      `${n},"Doe, ""J""\nsecond line; ${words}",p${n}@acme.example,53622874${n % 10}\n`;
    return holds('people.csv', filled(row, 'id,"full name",email,ssn\n'), 1000);
  });

  it('in a table without a header, by tabs', () =>
    holds(
      'a.tsv',
      filled((n) => `${n}\t${words}\t536-22-${1000 + (n % 9000)}\n`),
      1000,
    ));

  it('in rows of some kilobytes, whose columns are counted from their beginning', () => {
    const row = (n: number) => `${n},${`cell ${n % 10},`.repeat(400)}p${n}@acme.example\n`;
    return holds('wide.csv', filled(row, `id,${'note,'.repeat(400)}mail\n`), 50);
  });

  it('in rows longer than the lookbehind', () => {
    const row = (n: number) => `${n},${`cell ${n},`.repeat(4000)}p${n}@acme.example\n`;
    return holds('wide.csv', filled(row, `id,${'note,'.repeat(4000)}mail\n`), 3);
  });

  it('in one document a line', () =>
    holds(
      'a.ndjson',
      filled(
        (n) => `{"id":${n},"user":{"note":"${words}","emails":["p${n}@acme.example"],"ssn":"536228741"}}\n`,
      ),
      1000,
      4,
    ));

  it('in one JSON document', () =>
    holds(
      'a.json',
      filled(
        (n) => `  {"id": ${n},\n   "phones": [{"number": "+1 415 555 ${2000 + (n % 7000)}"}]},\n`,
        '[\n',
      ),
      100,
      4,
    ));

  it('in a dump of a database', () =>
    holds(
      'dump.sql',
      filled((n) => `INSERT INTO person (id, email) VALUES (${n}, 'p${n}@acme.example'), (${n}, NULL);\n`),
      1000,
      4,
    ));

  it('in settings', () =>
    holds(
      'a.ini',
      filled((n) => `${n % 50 === 0 ? `[s${n}]\n` : ''}admin_mail = p${n}@acme.example\n`),
      1000,
      4,
    ));

  it('in small objects, cut anywhere, also within the mark and at every byte', async () => {
    const text = Buffer.from('\ufeffSSN: 536-22-8741\n\np@acme.example\nlast 52.94.136.48');
    const every = Array.from({ length: text.length }, (_, n) => n);
    for (const cuts of [every, [1], [2, 3], [19, 20, 21, 22]])
      await compare('a.txt', text, { cuts, planted: [], maxFindingsPerType: 10, order: 'forward' });
  });
});

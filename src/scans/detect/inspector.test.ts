import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { AuthenticationError } from '../../sources/authentication-error.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { isObjectError, type Source, type SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../results/inspection.ts';
import { Inspector } from './inspector.ts';

const never = new AbortController().signal;

async function inspectAll(source: MemorySource, maxFindingsPerType = 100): Promise<Inspection[]> {
  const inspector = new Inspector(source, {
    rules: DEFAULT_RULES,
    secret: Buffer.alloc(32, 1),
    maxFindingsPerType,
  });
  const inspections: Inspection[] = [];
  for await (const batch of source.list(FULL_RANGE, never)) {
    for (const item of batch) {
      if (!isObjectError(item))
        inspections.push(await inspector.inspect(item as SourceObject, never, () => {}));
    }
  }
  return inspections;
}

describe('inspecting', () => {
  it('keeps the first findings of a kind and counts them all', async () => {
    const source = createMemorySource({ 'list.txt': 'a@example.com b@example.com c@example.com' });
    const [inspection] = await inspectAll(source, 2);
    expect(inspection).toMatchObject({ outcome: 'scanned', counts: { EMAIL: 3 } });
    expect(inspection!.findings).toHaveLength(2);
  });

  it('starts over with each object, also after one that ended early', async () => {
    const source = createMemorySource({ a: 'SSN: 219-09-1234', b: 'nothing', c: 'SSN: 219-09-4321' });
    source.failRead(keyOf('b'), new SeineError('unavailable', 'the disk has a scratch'));
    const [a, b, c] = await inspectAll(source);
    expect(a).toMatchObject({ counts: { SSN: 1 } });
    expect(b).toMatchObject({ outcome: 'skipped', reason: 'read-failed', stable: false, counts: {} });
    expect(c).toMatchObject({ counts: { SSN: 1 } });
  });

  it('shows progress as bytes are unpacked, also when all bytes of the source have been read', async () => {
    const text = 'mail ann@example.com and go on\n'.repeat(1_000_000);
    const packed = gzipSync(text);
    const object = { key: keyOf('list.txt.gz'), size: packed.length, modified: null, identity: '' };
    const source: Source = {
      id: 'one',
      capabilities: { rangeRead: false, splittable: false, remote: false },
      list: () => expect.unreachable('the object is given'),
      find: async () => object,
      async *read() {
        yield packed;
      },
    };
    const inspector = new Inspector(source, {
      rules: DEFAULT_RULES,
      secret: Buffer.alloc(32),
      maxFindingsPerType: 1,
    });
    let [read, after] = [0, 0];
    const inspection = await inspector.inspect(object, never, (bytes) => {
      if (read === packed.length) after++;
      read += bytes;
    });
    expect(inspection).toMatchObject({ outcome: 'scanned', counts: { EMAIL: 1_000_000 } });
    expect(read).toBe(packed.length);
    expect(after).toBeGreaterThan(text.length / 2 ** 20); // at least once per megabyte
  });

  it('attributes a rejected credential to no object', async () => {
    const source = createMemorySource({ a: 'SSN: 219-09-1234' });
    const refused = new AuthenticationError('permission', 'The session token has expired.');
    source.failRead(keyOf('a'), refused);
    await expect(inspectAll(source)).rejects.toBe(refused);
  });

  it('lets no control character of a name into a finding', async () => {
    const mail = [
      'From: ann@example.com',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename="=?utf-8?Q?a=00b.txt?="',
      '',
      'SSN: 219-09-1234',
      '--x--',
      '',
    ].join('\r\n');
    const [inspection] = await inspectAll(createMemorySource({ 'odd.eml': mail }));
    const found = inspection!.findings.find((finding) => finding.detector === 'SSN');
    expect(found?.part).toContain('\ufffd');
    expect(JSON.stringify(inspection!.findings)).not.toContain('\\u0000');
  });

  it('never holds the value itself', async () => {
    const secret = '219-09-1234';
    const [inspection] = await inspectAll(createMemorySource({ a: `SSN: ${secret}` }));
    expect(JSON.stringify(inspection)).not.toContain(secret);
    expect(inspection!.findings[0]).toMatchObject({
      masked: '•••-••-1234',
      start: 5,
      end: 16,
      line: 1,
      column: 6,
    });
  });
});

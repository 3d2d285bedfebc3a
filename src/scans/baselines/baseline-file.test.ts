import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keyFromBytes } from '../../base/key.ts';
import { baselineLines, readBaselineFile, readBaselineHeader } from './baseline-file.ts';
import type { Baseline, BaselineObject } from './baseline-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-baseline-'));
afterAll(() => rmSync(folder, { recursive: true }));

const made: Baseline = {
  id: 1,
  name: 'main',
  scan: 3,
  source: 'fs:/srv',
  inventoryKey: 'k',
  createdAt: new Date('2026-11-16T09:00:00Z'),
  createdBy: 'ada',
  objects: 1,
  findings: 2,
};
const object: BaselineObject = {
  id: 1,
  key: keyFromBytes(Uint8Array.of(0x61, 0xff)),
  counts: { EMAIL: 2 },
  findings: [{ detector: 'EMAIL', fingerprint: 'ab'.repeat(16), count: 2 }],
};

async function textOf(): Promise<string> {
  let text = '';
  const objects = async function* () {
    yield object;
  };
  for await (const line of baselineLines(made, objects(), 'check')) text += line;
  return text;
}

function put(text: string): string {
  const file = join(folder, 'b.jsonl');
  writeFileSync(file, text);
  return file;
}

async function read(text: string, keyCheck = 'check'): Promise<BaselineObject[]> {
  const objects: BaselineObject[] = [];
  for await (const one of readBaselineFile(put(text), keyCheck)) objects.push(one);
  return objects;
}

it('what was written is read as what it was', async () => {
  expect(await read(await textOf())).toEqual([object]);
  expect(await readBaselineHeader(put(await textOf()), 'check')).toEqual({ name: 'main', source: 'fs:/srv' });
});

it('the fingerprints of another key are refused', async () => {
  await expect(read(await textOf(), 'another')).rejects.toThrow(/were made with another key than yours/);
  await expect(readBaselineHeader(put(await textOf()), 'another')).rejects.toThrow(/another key/);
});

it.each([
  ['nothing', '', /it is empty/],
  ['something else', 'hello', /line 1 is not JSON/],
  ['another kind of file', '{"kind":"x"}', /does not begin as a "seine baseline"/],
])('%s is refused with a sentence', async (_, text, why) => {
  await expect(read(text)).rejects.toThrow(why);
});

it.each([
  '{',
  '[]',
  '{"key":"a"}',
  '{"key":"a","counts":{"EMAIL":-1},"findings":[]}',
  '{"key":"a","counts":{},"findings":[["EMAIL","short",1]]}',
])('a damaged line is named: %s', async (line) => {
  await expect(read(`${await textOf()}${line}\n`)).rejects.toThrow(/line 3/);
});

it('a missing file is reported', async () => {
  await expect(readBaselineHeader(join(folder, 'none.jsonl'), 'check')).rejects.toThrow(/can't be read/);
});

/** A second scan reads what changed, and nothing else; what it reports is complete all the same. */
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { one } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { bytesRead, digestOf, findingsOf, outcomesOf, scanned } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { makeTree, put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const FILES = 1200;
const tree = join(seine.folder, 'tree');
const detectorsIn = async (scan: string, key: string) =>
  (await findingsOf(seine, scan)).filter((line) => line.key === key).map((line) => line.detector);

let total: number;
beforeAll(async () => {
  makeTree(tree, FILES);
  put(tree, 'picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  const report = await scanned(seine, [tree]);
  expect(outcomesOf(report)).toEqual({ scanned: FILES, skipped: 1 });
  total = await bytesRead(seine, report.scan.id);
  expect(total).toBeGreaterThan(FILES * 500);
});

describe('an unchanged tree', () => {
  it('is not read: no byte, and the same findings', async () => {
    const again = await scanned(seine, [tree]);
    expect(outcomesOf(again)).toEqual({ unchanged: FILES, skipped: 1 });
    expect(await bytesRead(seine, again.scan.id)).toBe(0);
    expect(await digestOf(seine, again.scan.id)).toBe(await digestOf(seine, '1'));
  });

  it('is not read a third time either', async () => {
    const third = await scanned(seine, [tree]);
    expect(outcomesOf(third)).toEqual({ unchanged: FILES, skipped: 1 });
    expect(third.findings).toBe((await findingsOf(seine, '1')).length);
  });

  it('is read with --full', async () => {
    const full = await scanned(seine, [tree, '--full']);
    expect(outcomesOf(full)).toEqual({ scanned: FILES, skipped: 1 });
    expect(await bytesRead(seine, full.scan.id)).toBe(total);
  });

  it('is not read for a part of it', async () => {
    const part = await scanned(seine, [tree, '--include', '000/**']);
    expect(outcomesOf(part)).toEqual({ unchanged: 500 });
  });

  it('is read again under other rules, and not under the same ones', async () => {
    const rules = put(seine.folder, 'rules.yaml', 'detectors:\n  exclude: [EMAIL]\n');
    const first = await scanned(seine, [tree, '--rules', rules]);
    expect(outcomesOf(first)).toEqual({ scanned: FILES, skipped: 1 });
    const second = await scanned(seine, [tree, '--rules', rules]);
    expect(outcomesOf(second)).toEqual({ unchanged: FILES, skipped: 1 });
    expect(await digestOf(seine, second.scan.id)).toBe(await digestOf(seine, first.scan.id));
  });
});

describe('a tree that changed', () => {
  it('has its new, changed and renamed files read, and its deleted ones forgotten', async () => {
    await sleep(20); // the clock of a file system may tick slowly
    put(tree, '000/000001.txt', 'ssn 219-18-4417\n');
    put(tree, 'new/file.txt', 'mail new@example.org\n');
    rmSync(join(tree, '000/000000.txt'));
    renameSync(join(tree, '000/000007.txt'), join(tree, '000/renamed.txt'));
    const report = await scanned(seine, [tree]);
    expect(outcomesOf(report)).toEqual({ scanned: 3, unchanged: FILES - 3, skipped: 1 });
    expect(await detectorsIn(report.scan.id, '000/000001.txt')).toEqual(['SSN']);
    expect(await detectorsIn(report.scan.id, 'new/file.txt')).toEqual(['EMAIL']);
    expect(await detectorsIn(report.scan.id, '000/renamed.txt')).toEqual(['EMAIL']);
    expect(await detectorsIn(report.scan.id, '000/000000.txt')).toEqual([]);
    expect(await detectorsIn(report.scan.id, '000/000007.txt')).toEqual([]);
  });

  it('has a file read whose size and date were kept', async () => {
    const path = put(tree, 'kept.txt', 'number 219.18.4417\n');
    await scanned(seine, [tree]);
    const { mtime, size } = statSync(path);
    await sleep(20);
    writeFileSync(path, 'ssn  : 219-18-4417\n');
    utimesSync(path, mtime, mtime);
    expect(statSync(path)).toMatchObject({ size, mtime });
    const report = await scanned(seine, [tree]);
    expect(outcomesOf(report).scanned).toBe(1);
    expect(await detectorsIn(report.scan.id, 'kept.txt')).toEqual(['SSN']);
  });

  it('has a file with findings that became clean reported as clean', async () => {
    put(tree, 'kept.txt', 'nothing any more\n');
    const report = await scanned(seine, [tree]);
    expect(outcomesOf(report).scanned).toBe(1);
    expect(await detectorsIn(report.scan.id, 'kept.txt')).toEqual([]);
  });

  it('is reported as a scan with --full reports it', async () => {
    const again = await scanned(seine, [tree]);
    const full = await scanned(seine, [tree, '--full']);
    expect(await digestOf(seine, again.scan.id)).toBe(await digestOf(seine, full.scan.id));
  });
});

describe('what is older than it is to be kept', () => {
  it('is sent after a scan in one process', async () => {
    const config = put(seine.folder, 'seine.yaml', 'retention:\n  finished_scans: 1h\n');
    const db = await openDatabase({ dataFolder: seine.data, max: 1 });
    await db.query(`update scan set finished_at = now() - interval '2 hours' where id <= 2`);
    await scanned(seine, [tree, '--config', config]);
    const { first } = await one<{ first: number }>(db, 'select min(id) as first from scan');
    await db.close();
    expect(first).toBe(3);
  });
});

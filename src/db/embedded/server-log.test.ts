import { closeSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logPath, openLog, rotateLog, tailLog } from './server-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a log over its limit is truncated while the server writes, and one predecessor is kept', () => {
  const fd = openLog(folder);
  writeSync(fd, 'x'.repeat(100));
  rotateLog(folder, 100);
  expect(existsSync(`${logPath(folder)}.1`)).toBe(false);
  writeSync(fd, 'y');
  rotateLog(folder, 100);
  writeSync(fd, 'after');
  closeSync(fd);
  expect(readFileSync(logPath(folder), 'utf8')).toBe('after');
  expect(statSync(`${logPath(folder)}.1`).size).toBe(101);
});

it('a log is readable by its owner only', () => {
  closeSync(openLog(folder));
  expect(statSync(logPath(folder)).mode & 0o777).toBe(0o600);
});

it('the tail has the last lines, and nothing for a log that is not there', () => {
  expect(tailLog(folder)).toBe('');
  const fd = openLog(folder);
  writeSync(fd, 'one\ntwo\nthree\n');
  closeSync(fd);
  expect(tailLog(folder, 2)).toBe('two\nthree');
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exportJson } from './export-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an exported snapshot', () => {
  it('replaces the one before and leaves nothing else behind', async () => {
    const path = join(folder, 'metrics.json');
    writeFileSync(path, 'old');
    await exportJson(path, { objects: 1 });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ objects: 1 });
    expect(readdirSync(folder)).toEqual(['metrics.json']);
  });

  it('reports which file could not be written', async () => {
    const path = join(folder, 'missing', 'metrics.json');
    await expect(exportJson(path, {})).rejects.toMatchObject({
      kind: 'unavailable',
      message: `Could not write "${path}": ENOENT.`,
    });
  });
});

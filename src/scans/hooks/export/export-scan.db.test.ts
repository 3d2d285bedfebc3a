import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../../test/support/database.ts';
import { plannedScan } from '../../../../test/support/scan.ts';
import { waitUntil } from '../../../../test/support/wait-for.ts';
import { createMemorySource } from '../../../sources/memory/memory.ts';
import { createFolderWriter } from '../../../sources/writer/folder-writer.ts';
import { readScan, type ScanRow } from '../../lifecycle/scan-store.ts';
import { findingJson } from '../../results/finding-json.ts';
import { findingsDigest, findingsOf } from '../../results/finding-store.ts';
import type { ExportSettings } from '../hook.ts';
import { addHooks } from '../hook-store.ts';
import { addResults, endedAs, HookQueue, hookContext, hookOf } from '../hooks.fixture.ts';
import { runHook, sendHooks } from '../run-hook.ts';
import { type ExportOptions, exportScan } from './export-scan.ts';

const OBJECTS = 20;
const FINDINGS = 150;

let db: Awaited<ReturnType<typeof freshDatabase>>;
let scan: ScanRow;
let folder: string;

beforeAll(async () => {
  db = await freshDatabase();
  const id = await plannedScan(db, createMemorySource({}));
  await addResults(db, id, OBJECTS, FINDINGS);
  await endedAs(db, id);
  scan = (await readScan(db, id))!;
});
afterAll(() => db?.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = (more: Partial<ExportOptions> = {}): ExportOptions => ({
  writer: createFolderWriter(folder),
  format: 'jsonl',
  round: 0,
  signal: new AbortController().signal,
  isCurrent: async () => true,
  ...more,
});

/** Every file below the folder, hidden ones included, with its content. */
function tree(root = folder): Record<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length + 1), readFileSync(path).toString('base64')]),
  );
}

function read(name: string): Buffer {
  return readFileSync(join(folder, `scan-${scan.id}/round-0`, name));
}

const lines = (bytes: Buffer) =>
  bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('an export', () => {
  it('has the lines that the command line writes, in their order', async () => {
    await exportScan(db, scan, options());
    const expected: string[] = [];
    for await (const { finding } of findingsOf(db, scan)) expected.push(JSON.stringify(findingJson(finding)));
    expect(expected).toHaveLength(OBJECTS * FINDINGS);
    expect(read('findings-00000.jsonl').toString()).toBe(`${expected.join('\n')}\n`);
  });

  it('contains the same data in every format', async () => {
    for (const format of ['jsonl', 'jsonl.gz', 'parquet'] as const)
      await exportScan(db, scan, options({ format }));
    for (const name of ['findings-00000', 'objects-00000']) {
      const jsonl = read(`${name}.jsonl`);
      expect(gunzipSync(read(`${name}.jsonl.gz`))).toEqual(jsonl);
      const file = new Uint8Array(read(`${name}.parquet`)).buffer;
      const rows = JSON.stringify(await parquetReadObjects({ file }), (_, value) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
      const shown = lines(jsonl).map((row) => ({ ...row, keyHex: row.keyHex ?? null }));
      expect(JSON.parse(rows)).toEqual(shown);
    }
  });

  it('lists its files in a manifest, with their checksums and the digest of the findings', async () => {
    const exported = await exportScan(db, scan, options({ format: 'parquet' }));
    const manifest = JSON.parse(read('manifest.json').toString());
    expect(manifest).toMatchObject({
      schemaVersion: 1,
      scan: String(scan.id),
      round: 0,
      status: 'completed',
      format: 'parquet',
      findings: { rows: OBJECTS * FINDINGS, digest: await findingsDigest(db, scan) },
      objects: { rows: OBJECTS + 1 },
      ledger: [
        { outcome: 'scanned', reason: null, objects: OBJECTS },
        { outcome: 'skipped', reason: 'no permission', objects: 1 },
      ],
      files: exported!.files,
    });
    for (const { name, bytes, sha256 } of exported!.files) {
      expect(read(name)).toHaveLength(bytes);
      expect(createHash('sha256').update(read(name)).digest('hex')).toBe(sha256);
    }
  });

  it('that is repeated is the same, byte for byte, and nothing twice', async () => {
    for (const format of ['jsonl.gz', 'parquet'] as const) await exportScan(db, scan, options({ format }));
    const first = tree();
    for (const format of ['jsonl.gz', 'parquet'] as const) await exportScan(db, scan, options({ format }));
    expect(tree()).toEqual(first);
  });

  it('is cut into files of so many rows', async () => {
    const exported = await exportScan(db, scan, options({ partRows: 1000 }));
    expect(exported!.files.map(({ name, rows }) => [name, rows])).toEqual([
      ['findings-00000.jsonl', 1000],
      ['findings-00001.jsonl', 1000],
      ['findings-00002.jsonl', 1000],
      ['objects-00000.jsonl', OBJECTS + 1],
    ]);
    const parts = [0, 1, 2].map((n) => read(`findings-0000${n}.jsonl`));
    await exportScan(db, scan, options());
    expect(Buffer.concat(parts)).toEqual(read('findings-00000.jsonl'));
  });

  it('of a scan that found nothing has empty files and a manifest', async () => {
    const id = await plannedScan(db, createMemorySource({}));
    const exported = await exportScan(db, (await readScan(db, id))!, options());
    expect(exported!.files.map(({ name, rows }) => [name, rows])).toEqual([
      ['findings-00000.jsonl', 0],
      ['objects-00000.jsonl', 0],
    ]);
  });

  it('of a scan that is opened again meanwhile has no manifest', async () => {
    expect(await exportScan(db, scan, options({ isCurrent: async () => false }))).toBeNull();
    expect(Object.keys(tree()).filter((name) => name.endsWith('manifest.json'))).toEqual([]);
  });

  it('that is killed half-way and repeated is like one that was not', async () => {
    await exportScan(db, scan, options({ format: 'parquet' }));
    const undisturbed = tree();
    rmSync(folder, { recursive: true });
    await killHalfWay();
    const left = Object.keys(tree());
    expect(left).toEqual([expect.stringMatching(/\/\.findings-00000\.parquet\.[0-9a-f]{8}\.partial$/)]);
    await exportScan(db, scan, options({ format: 'parquet' }));
    expect(tree()).toEqual(undisturbed);
  });
});

/**
 * Starts an export in another process and kills it while it writes the findings: the second page never
 * arrives.
 */
async function killHalfWay(): Promise<void> {
  const from = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../', path));
  const program = `
    import { openDatabase } from ${from('db/pool.ts')};
    import { readScan } from ${from('scans/lifecycle/scan-store.ts')};
    import { exportScan } from ${from('scans/hooks/export/export-scan.ts')};
    import { createFolderWriter } from ${from('sources/writer/folder-writer.ts')};
    const db = await openDatabase({ databaseUrl: ${JSON.stringify(db.url)}, max: 1 });
    const scan = await readScan(db, ${scan.id});
    let pages = 0;
    const hanging = { ...db, query: (sql, params) =>
      sql.includes('from finding') && ++pages > 1 ? new Promise(() => {}) : db.query(sql, params) };
    setInterval(() => {}, 1000);
    await exportScan(hanging, scan, { writer: createFolderWriter(${JSON.stringify(folder)}), format: 'parquet', round: 0,
      signal: new AbortController().signal, isCurrent: async () => true });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  const died = once(child, 'exit');
  await waitUntil('a partial file', () => {
    expect(child.exitCode).toBeNull();
    const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
    return names.some((name) => String(name).endsWith('.partial'));
  });
  child.kill('SIGKILL');
  await died;
}

describe('the export hook', () => {
  const exportTo = (target: string): ExportSettings => ({
    kind: 'export',
    name: 'export lake',
    target,
    format: 'jsonl',
    on: ['completed'],
    place: null,
  });

  async function run(target: string): Promise<number> {
    const id = await plannedScan(db, createMemorySource({}));
    await addResults(db, id, 2, 3);
    await db.tx((tx) => addHooks(tx, id, [exportTo(target)]));
    await endedAs(db, id);
    const queue = new HookQueue(db);
    await db.tx((tx) => sendHooks(tx, queue.send, id, 'completed'));
    for (const { job } of await queue.take()) await runHook(db, hookContext(queue), job);
    return id;
  }

  it('writes to a folder and lists the files', async () => {
    const id = await run(folder);
    expect(await hookOf(db, id)).toMatchObject({
      state: 'done',
      result: { target: folder, folder: `scan-${id}/round-0`, files: 2, findings: 6 },
    });
    expect(Object.keys(tree())).toEqual([
      `scan-${id}/round-0/findings-00000.jsonl`,
      `scan-${id}/round-0/manifest.json`,
      `scan-${id}/round-0/objects-00000.jsonl`,
    ]);
  });

  it('fails at once where a folder cannot be', async () => {
    const id = await run('/dev/null/exports');
    expect(await hookOf(db, id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('is a file, not a folder'),
    });
    expect((await readScan(db, id))!.status).toBe('completed');
  });
});

/**
 * No value is stored, logged, printed or sent unmasked, whether it occurs in a text or in a name. Canaries are planted in both, every
 * command is run, and then all output is searched: the terminal, outputs, exports, webhooks, the database's files with
 * its write-ahead log, and its rows.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { many } from '../../src/db/database.ts';
import { collect } from '../../src/extraction/documents/data/data.fixture.ts';
import { readParquet } from '../../src/extraction/documents/data/parquet.ts';
import { Canaries, formsOf, plantCanaries } from '../support/canaries.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';
import { catchScan, type Watch, watchScans } from '../support/watch-scans.ts';

const seine = openSeine();
const tree = join(seine.folder, 'tree');
const out = join(seine.folder, 'out');
const canaries = new Canaries();
const secrets = {
  AWS_ACCESS_KEY_ID: canaries.at('environment: AWS key id', 2),
  AWS_SECRET_ACCESS_KEY: canaries.keep(
    'environment: AWS secret',
    'Zq7canary/Lumen92+Quill41Zebedee77Otter0Rx',
  ),
};
const hookToken = canaries.keep('token in the address of a webhook', 'canary-hook-token-Zq81Lm');
const password = canaries.keep('password of a database', 'Canary-Pw-Quill-5521');

let receiver: Receiver;
let said = '';
let rows = '';
afterAll(async () => {
  await receiver?.close();
  execFileSync('chmod', ['-R', 'u+rwX', tree]);
  await seine.close();
});

const run = async (words: readonly string[], env: Record<string, string> = {}) => {
  const ended = await seine.run(words, { env: { ...secrets, SEINE_WEBHOOK_ALLOW_PRIVATE: 'true', ...env } });
  said += `\n$ ${words[0]}\n${ended.stdout}${ended.stderr}`;
  return ended;
};

beforeAll(async () => {
  mkdirSync(out);
  plantCanaries(tree, canaries);
  receiver = await startReceiver();
  await scanTree();
  await askForResults();
  await interruptAndGoOn();
  await runInTrouble();
  rows += await allRows();
  writeFileSync(join(out, 'said.txt'), said);
  await seine.serverStopped();
}, 900_000);

async function scanTree(): Promise<void> {
  const outputs = ['jsonl', 'sarif', 'csv', 'html', 'json', 'txt'].flatMap((end) => [
    '-o',
    join(out, `report.${end}`),
  ]);
  const exports = ['parquet', 'jsonl'].flatMap((format) => ['--export', `${join(out, format)}:${format}`]);
  await run(['scan', tree, ...outputs, ...exports, '--webhook', receiver.url, '--verbose']);
  await run(['baseline', 'create', 'first']);
  put(tree, `later/${canaries.at('name of a file that comes later')}.txt`, 'SSN 219-09-9995\n');
  const address = `${receiver.url}?token=${hookToken}`;
  await run(['scan', tree, '--json', '--webhook', address, '--baseline', 'first']);
}

async function askForResults(): Promise<void> {
  const findings = (await run(['findings', '--json'])).stdout.trimEnd().split('\n');
  const inFiles = findings.map((line) => JSON.parse(line)).find(({ key }) => key.startsWith('files/'));
  const rules = join(seine.folder, 'rules.yaml');
  writeFileSync(rules, 'version: 1\nname: strict\nminConfidence: 0.9\n');
  const commands = [
    ['findings'],
    ['findings', '--objects'],
    ['findings', '--where', 'path ~ "files/*"', '--json'],
    ['show'],
    ['coverage', '--list'],
    ['coverage', '--list', '--json'],
    ['shards', '--json'],
    ['monitor', '--json'],
    ['workers', '--json'],
    ['scans', '--json'],
    ['diff', '--json'],
    ['diff'],
    ['whatif', '--rules', rules, '--objects'],
    ['explain', inFiles.handle],
    ['explain', inFiles.handle, '--read', '--json'],
    ['suppress', inFiles.handle, '--here', '--reason', 'known', '--owner', 'me'],
    ['suppressions', 'list'],
    ['suppressions', 'export', '-o', join(out, 'suppressions.json')],
    ['scan', tree, '--json'],
    ['baseline', 'list'],
    ['baseline', 'export', 'first', '-o', join(out, 'baseline.jsonl')],
    ['deadletter', 'list'],
    ['deadletter', 'list', '--json'],
    ['deadletter', 'retry', '--yes'],
  ];
  for (const words of commands)
    expect({ words, code: (await run(words)).code }).not.toMatchObject({ code: 2 });
  for (const name of readdirSync(join(tree, 'files')).slice(0, 3))
    await run(['inspect', join(tree, 'files', name)]);
  for (const name of ['a.zip', 'b.tar.gz']) await run(['inspect', '--json', join(tree, 'archives', name)]);
}

/** Cursors and bounds of shards are names, too. */
async function interruptAndGoOn(): Promise<void> {
  const folder = join(seine.folder, 'many');
  const outer = canaries.detectable.slice(0, 60);
  for (let n = 0; n < 6000; n++) put(folder, `${outer[n % 60]}/219-${10 + (n % 89)}-${2000 + n}.txt`, 'x\n');
  canaries.keep('one of many names', '219-17-2007');
  canaries.keep('the last of many names', `219-${10 + (5999 % 89)}-7999`);
  const watch = await watchScans(seine);
  try {
    const running = await catchScan(seine, watch, ['scan', folder, '--threads', '1', '--full', '--verbose']);
    running.kill('SIGKILL');
    const ended = await running.ended;
    said += ended.stdout + ended.stderr;
    await watch.alone();
    rows += await rowsOf(watch);
  } finally {
    await watch.close();
  }
  await run(['shards', '--json']);
  await run(['resume', '--verbose']);
}

/** Commands that fail, and what they say then. */
async function runInTrouble(): Promise<void> {
  const gone = join(tree, 'files', `${canaries.at('name of a file that is not there')}.txt`);
  await run(['inspect', gone]);
  await run(['scan', gone, '--verbose']);
  await run(['explain', gone, '--at', '1:1']);
  await run(['scans'], { DATABASE_URL: `postgres://quill:${password}@127.0.0.1:1/zoo` });
  await run(['scan', 's3://canary-bucket/x', '--verbose'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' });
  receiver.statuses = [410];
  await run(['scan', join(tree, 'texts'), '--webhook', `${receiver.url}?token=${hookToken}`]);
  for (const words of [['hooks', 'list'], ['deadletter', 'list', '--json'], ['doctor']]) await run(words);
}

/** What a table's pages hold compressed is plain here. */
async function allRows(): Promise<string> {
  const watch = await watchScans(seine);
  return rowsOf(watch).finally(() => watch.close());
}

async function rowsOf(watch: Watch): Promise<string> {
  const tables = await many<{ name: string }>(
    watch.db,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  let text = '';
  for (const { name } of tables) {
    const found = await many<{ row: string }>(watch.db, `select t::text as row from ${name} t`);
    text += `\n# ${name}\n${found.map(({ row }) => row).join('\n')}`;
  }
  const faint = await many<{ faint: Buffer }>(
    watch.db,
    'select sub_threshold as faint from inventory_block where sub_threshold is not null',
  );
  return text + faint.map((row) => inflateRawSync(row.faint).toString()).join('\n');
}

const seenIn = (text: string): string[] => {
  const plain = text.replaceAll('\0', '');
  return canaries.planted.flatMap(({ place, value }) =>
    formsOf(value).some((form) => text.includes(form) || plain.includes(form)) ? [`${place}: ${value}`] : [],
  );
};

/** Occurrences of canaries in the bytes of a folder's files; also as UTF-16. */
function seenInFiles(folder: string): string[] {
  const forms = canaries.planted.flatMap(({ value }) => formsOf(value)).join('\n');
  const search = `grep -raosF -f - '${folder}' ; true`;
  const wide = `find '${folder}' -type f -exec cat {} + 2>/dev/null | tr -d '\\000' | grep -aoF -f /dev/fd/3 3<<'END' ; true\n${forms}\nEND`;
  const options = { input: forms, encoding: 'utf8', maxBuffer: 64e6 } as const;
  const found = execFileSync('sh', ['-c', search], options) + execFileSync('sh', ['-c', wide], options);
  return [...new Set(found.split('\n').filter((line) => line !== ''))];
}

describe('values in texts and names', () => {
  it('are at least sixty, all different, and are there to be found', () => {
    process.stdout.write(`${canaries.planted.length} canaries\n`);
    expect(canaries.planted.length).toBeGreaterThanOrEqual(60);
    expect(new Set(canaries.planted.map(({ value }) => value)).size).toBe(canaries.planted.length);
    expect(said).toContain('files/');
    const names = execFileSync('sh', ['-c', `find '${tree}' 2>/dev/null; true`], { encoding: 'utf8' });
    expect(seenIn(names).length).toBeGreaterThan(30);
  });

  it('are printed by no command', () => {
    expect(seenIn(said)).toEqual([]);
  });

  it('are in no output, and in no export', async () => {
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['report.html', 'report.sarif', 'parquet', 'jsonl']),
    );
    expect(seenInFiles(out)).toEqual([]);
    const files = readdirSync(join(out, 'parquet'), { recursive: true, encoding: 'utf8' });
    const tables = files.filter((name) => name.endsWith('.parquet'));
    expect(tables.length).toBeGreaterThan(0);
    for (const name of tables) {
      const { texts } = await collect(readParquet, readFileSync(join(out, 'parquet', name)));
      expect(seenIn(texts.map(({ text }) => text).join('\n'))).toEqual([]);
    }
  });

  it('are in no message to a webhook', () => {
    expect(receiver.deliveries.length).toBeGreaterThan(1);
    expect(seenIn(JSON.stringify(receiver.deliveries))).toEqual([]);
  });

  it('are in no row of the database', () => {
    expect(rows).toContain('files/');
    expect(seenIn(rows)).toEqual([]);
  });

  it('are in no byte of the data folder: not in tables, indexes, logs or the write-ahead log', () => {
    expect(seenInFiles(seine.data)).toEqual([]);
    expect(seenInFiles(tree).length).toBeGreaterThan(30); // what is there would be seen
  });
});

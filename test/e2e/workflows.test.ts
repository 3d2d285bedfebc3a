/** Workflows as an operator meets them: runners, partitions, and the commands about one workflow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, openSeine, type Running } from '../support/seine.ts';
import { put } from '../support/tree.ts';
import { PROCESS_TIMEOUT_MS, waitUntil } from '../support/wait-for.ts';
import { writeSampleWorkflow } from '../support/workflows/sample-workflow.ts';

const seine = openSeine();
const running: Running[] = [];
let module: string;
beforeAll(() => {
  module = writeSampleWorkflow(seine.folder);
});
afterAll(async () => {
  for (const one of running) one.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  await seine.close();
});

const coded = (env: Record<string, string> = {}) => ({ env: { SEINE_WORKFLOWS: module, ...env } });
const workflows = (words: string[], env?: Record<string, string>) =>
  seine.run(['workflows', ...words], coded(env));
const send = (id: string, n: number) => workflows(['send', 'errand', id, JSON.stringify({ type: 'run', n })]);
const untilIdle = (env?: Record<string, string>) =>
  seine.run(['runner', '--until-idle', '--json'], coded(env));
const lines = ({ stdout }: Ended) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const typesOf = async (id: string) =>
  lines(await workflows(['events', 'errand', id, '--json'])).map(({ type }) => type);

function start(words: string[]): Running {
  const one = seine.start(words, coded());
  running.push(one);
  return one;
}

async function says(one: Running, text: string | RegExp, times = 1): Promise<void> {
  const there = () => [...one.said().matchAll(new RegExp(text, 'g'))].length >= times;
  await waitUntil(() => `${text} in the output:\n${one.said()}`, there, { forMs: PROCESS_TIMEOUT_MS });
}

describe('a runner', () => {
  it('does what there is to do and ends', async () => {
    expect(await send('a', 1)).toMatchObject({ code: 0, stderr: expect.stringContaining('asked') });
    await send('a', 2);
    const { code, stdout, stderr } = await untilIdle();
    expect({ code, counts: JSON.parse(stdout) }).toEqual({
      code: 0,
      counts: { events: 4, messages: 0, actions: expect.any(Number) },
    });
    expect(stderr).toContain('errand: holds 256 of 256 slots.');
    expect(await typesOf('a')).toEqual(['asked', 'asked', 'work.done', 'work.done']);
  });

  it('reports invalid arguments in one sentence, and exits with 2', async () => {
    put(seine.folder, 'empty.mjs', 'export const nothing = 1;\n');
    put(seine.folder, 'seine.yaml', 'workflows:\n  - empty.mjs\n');
    const wrong: [string[], string][] = [
      [['runner', '--config', join(seine.folder, 'seine.yaml')], 'empty.mjs exports no workflow'],
      [['runner', '--module', module, '--workflow', 'ordre'], 'Available: errand.'],
      [['runner', '--module', module, '--partition', '3/3'], '2/3'],
      [['workflows', 'archive', '--older-than', '90d'], '--output'],
    ];
    for (const [words, word] of wrong) {
      const { code, stdout, stderr } = await seine.run(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(word);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});

describe('one workflow', () => {
  it('is listed, shown, replayed, and shows what a command would do', async () => {
    expect(lines(await workflows(['list', '--json']))).toMatchObject([
      { workflow: 'errand', id: 'a', status: 'running', version: 4, reacted: 4 },
    ]);
    expect((await workflows(['show', 'errand', 'a'])).stdout).toMatch(/^errand a\n {2}status +running/);
    const replayed = await workflows(['replay', 'errand', 'a', '--version', '1', '--json']);
    expect(JSON.parse(replayed.stdout)).toEqual({ version: 1, state: { asked: 1, done: 0 } });
    const would = await workflows(['simulate', 'errand', 'a', '{"type":"run","n":5}', '--json']);
    expect(JSON.parse(would.stdout)).toMatchObject({
      outcome: 'accepted',
      state: { asked: 8 },
      effects: [{ do: 'act', action: 'work' }],
    });
    const not = await workflows(['simulate', 'errand', 'a', '{"type":"run","n":-5}']);
    expect(not).toMatchObject({ code: 1, stderr: expect.stringContaining('not so few') });
    expect(await send('a', -1)).toMatchObject({ code: 1, stderr: expect.stringContaining('not so few') });
  });

  it('is paused, keeps its queued commands, and gets them when it is resumed', async () => {
    const paused = await workflows(['pause', 'errand', 'a', '--reason', 'inventory']);
    expect(paused.stderr).toContain('workflows resume errand a');
    expect(await send('a', 3)).toMatchObject({ code: 1, stderr: expect.stringContaining('is paused') });
    await workflows(['signal', 'errand', 'a', '{"type":"run","n":4}', '--command-id', 'four']);
    await untilIdle();
    expect((await workflows(['show', 'errand', 'a'])).stdout).toContain('held until the workflow is resumed');
    await workflows(['resume', 'errand', 'a']);
    await untilIdle();
    expect((await typesOf('a')).slice(4)).toEqual([
      'workflow.paused',
      'workflow.resumed',
      'asked',
      'work.done',
    ]);
  });

  it('that fails is parked with its error, and continues when it is retried', async () => {
    await send('b', 13);
    const { stderr } = await untilIdle({ UNLUCKY: '1' });
    expect(stderr).toContain('errand b is parked: react of errand b failed on event 1 (asked): bad luck.');
    expect((await workflows(['parked'])).stdout).toMatch(/errand +b +event 1 .*bad luck/);
    expect((await workflows(['retry', 'errand'])).stderr).toContain('1 reaction and 0 messages');
    await untilIdle();
    expect(await typesOf('b')).toEqual(['asked', 'work.done']);
  });

  it('is cancelled, and its events are archived and deleted', async () => {
    await workflows(['cancel', 'errand', 'b']);
    await untilIdle();
    const file = join(seine.folder, 'events.jsonl');
    const old = ['archive', '--older-than', '0', '--output', file, '--delete', '--json'];
    const dry = await workflows(['archive', '--older-than', '90d', '--dry-run']);
    expect(dry.stderr).toContain('0 events of 0 workflows would be archived');
    expect(JSON.parse((await workflows(old)).stdout)).toMatchObject({ workflows: 1, events: 3, deleted: 3 });
    const kept = readFileSync(file, 'utf8').trim().split('\n');
    expect(kept.map((line) => JSON.parse(line).type)).toEqual(['asked', 'work.done', 'workflow.cancelled']);
    expect((await workflows(['show', 'errand', 'b'])).stdout).toContain('all archived');
    const { code, stderr } = await workflows(['resume', 'errand', 'b']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('b is already cancelled'),
    });
  });

  it('that does not exist is reported in one sentence', async () => {
    for (const verb of ['show', 'pause', 'replay']) {
      const { code, stderr } = await workflows([verb, 'errand', 'nobody']);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no errand nobody'),
      });
    }
  });
});

describe('partitions', () => {
  it('are started and supervised, a dead one is restarted, and all follow when they are scaled', async () => {
    const scaled = await seine.run([
      'partitions',
      'scale',
      '--workflow',
      'errand',
      '--from',
      'slots',
      '--to',
      '2',
    ]);
    expect(scaled).toMatchObject({ code: 0, stderr: expect.stringContaining('errand now has 2 partitions') });
    const supervisor = start([
      'partitions',
      'start',
      '--workflow',
      'errand',
      '--total',
      '2',
      '--module',
      module,
    ]);
    await says(supervisor, /holds partition/, 2);
    const standby = start(['runner', '--partition', '0/2']);
    await says(standby, 'partition 0 of 2 is held by .*; standing by');

    const status = await seine.run(['partitions', 'status', '--json']);
    const { workflows: kinds } = JSON.parse(status.stdout);
    expect(kinds).toMatchObject([{ workflow: 'errand', mode: 'static', total: 2, epoch: 2, lag: 0 }]);
    const [pid] = kinds[0].readers.map((reader: { pid: number }) => reader.pid);
    process.kill(pid, 'SIGKILL');
    await says(supervisor, /exited \(SIGKILL\); restarting/);

    const scale = ['partitions', 'scale', '--workflow', 'errand', '--from', '2', '--to', '3'];
    expect(await seine.run(scale)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--to 3 --stop'),
    });
    expect(await seine.run([...scale, '--stop'])).toMatchObject({ code: 0 });
    await says(supervisor, /rescaled from 2 partitions to 3 partitions/);
    await says(supervisor, /holds partition \d of 3/, 3);
    const { code, stderr } = await standby.ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('3 partitions') });
    expect(stderr).toMatch(/standing by\.\nRunner \w+ is ready/);

    await send('c', 1);
    const isDone = async () => (await typesOf('c')).includes('work.done');
    await waitUntil('the end of the work', isDone, { forMs: PROCESS_TIMEOUT_MS });
    supervisor.kill('SIGTERM');
    expect(await supervisor.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('All runners stopped.'),
    });
    expect((await seine.run(['partitions', 'status'])).stdout).toMatch(/errand +3 partitions/);
    expect((await seine.run(['partitions', 'repair-log'])).stderr).toContain('nothing to do');
  });

  it('end with a supervisor that was killed without a signal to them', async () => {
    const supervisor = start(['partitions', 'start', '--total', '3', '--module', module]);
    await says(supervisor, /holds partition/, 3);
    supervisor.kill('SIGKILL');
    const holders = async () => {
      const { workflows: kinds } = JSON.parse((await seine.run(['partitions', 'status', '--json'])).stdout);
      return kinds[0].holders.map(({ holder }: { holder: string | null }) => holder);
    };
    await waitUntil(
      'the partitions to be released',
      async () => (await holders()).every((holder: string | null) => holder === null),
      { forMs: PROCESS_TIMEOUT_MS },
    );
    expect(await holders()).toEqual([null]);
  });
});

describe('a module outside the repository', () => {
  it('has its workflows found by their state, its projections updated, its commands checked', async () => {
    const view = put(
      seine.folder,
      'view.mjs',
      `import { defineProjection } from 'seine/workflows';
import { errand } from './errands.mjs';
export const sums = defineProjection({
  name: 'sums',
  from: [{ workflow: errand, types: ['asked'] }],
  init: (tx) => tx.query('create table public.sums (id text primary key, n bigint not null)'),
  reset: (tx) => tx.query('drop table public.sums'),
  apply: (tx, { id, data }) => tx.query(
    'insert into public.sums values ($1, $2) on conflict (id) do update set n = sums.n + excluded.n', [id, data.n]),
});
`,
    );
    const scale = ['partitions', 'scale', '--from', '3', '--to', 'slots'];
    expect(await seine.run(scale)).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') });
    expect((await seine.run([...scale, '--all'])).stderr).toContain('errand now has slots');
    await send('large', 2000);
    await send('small', 3);
    const wrong = await workflows(['send', 'errand', 'large', '{"type":"rnu","n":1}']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('knows no command "rnu"') });
    expect(wrong.stderr).toContain('Did you mean run?');

    const found = await workflows(['list', '--where', 'asked == 2000 and not done > 5000', '--json']);
    expect(lines(found)).toMatchObject([{ id: 'large', version: 1, attributes: { asked: 2000, done: 0 } }]);
    const misspelt = await workflows(['list', '--where', 'askd > 5']);
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean asked?') });
    expect(misspelt.stderr).toContain('(column 1)');

    await seine.run(['runner', '--until-idle', '--module', view, '--module', module]);
    const projections = (words: string[]) => workflows(['projections', ...words]);
    expect(lines(await projections(['list', '--json']))).toMatchObject([
      { name: 'sums', workflows: ['errand'], state: 'running', lag: 0, error: null },
    ]);
    const refused = await projections(['rebuild', 'sums']); // the events of b were archived above
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--incomplete') });
    const rebuilt = await projections(['rebuild', 'sums', '--incomplete']);
    expect(rebuilt.stderr).toContain('sums will be rebuilt by the runners');
    expect(rebuilt.stderr).toContain('events of 1 workflow were archived');
    expect((await projections(['list'])).stdout).toMatch(/sums +errand +rebuilding/);
    await seine.run(['runner', '--until-idle', '--module', view, '--module', module]);
    expect((await projections(['list'])).stdout).toMatch(/sums +errand +running +0 +no runner/);
    expect((await projections(['resume', 'sums'])).stderr).toContain('is not parked');
    expect(await projections(['remove', 'sums'])).toMatchObject({ code: 0 });
    for (const id of ['large', 'small']) await workflows(['cancel', 'errand', id]);
  });
});

describe('newer code', () => {
  it('owns its workflows: older code reports so, shows what is pending, and newer code continues', async () => {
    const second = readFileSync(module, 'utf8').replace(
      "name: 'errand',",
      "name: 'errand', version: 2, upcast: { 1: (event) => event },",
    );
    const newer = { SEINE_WORKFLOWS: put(seine.folder, 'newer.mjs', second) };
    await workflows(['send', 'errand', 'newer', '{"type":"run","n":1}'], newer);
    expect(await untilIdle()).toMatchObject({ code: 0 });
    expect(await typesOf('newer')).toEqual(['asked']);
    const refused = await send('newer', 2);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('errand newer needs version 2 of its code; this process has version 1.');
    expect((await seine.run(['partitions', 'status'])).stderr).toContain(
      '1 workflow waits for version 2 of errand; no runner has it.',
    );
    expect((await workflows(['show', 'errand', 'newer'])).stdout).toMatch(
      /code +needs version 2, waiting for a runner that has it since /,
    );
    expect(await untilIdle(newer)).toMatchObject({ code: 0 });
    expect(await typesOf('newer')).toEqual(['asked', 'work.done']);
    expect((await seine.run(['partitions', 'status'])).stderr).not.toContain('waits for version');
  });
});

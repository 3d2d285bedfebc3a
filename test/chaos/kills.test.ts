/**
 * The process is killed again and again, at moments drawn from a seed that is printed with the failure. The scan
 * always ends with the findings of an undisturbed one, and its ledger equals the listing.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverageOf, digestOf, scanned } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { makeTree, randomFrom } from '../support/tree.ts';
import { type ScanState, type Watch, watchScans } from '../support/watch-scans.ts';

const seine = openSeine();
const FILES = 12_000;
const KILLS = 20;
const SEED = Number(process.env.SEINE_CHAOS_SEED ?? 2026);
const tree = join(seine.folder, 'tree');
const SCAN = ['scan', tree, '--full', '-q'];
const ENDED = ['completed', 'incomplete', 'failed'];

let undisturbed: string;
let watch: Watch;
beforeAll(async () => {
  makeTree(tree, FILES);
  undisturbed = await digestOf(seine, (await scanned(seine, [tree])).scan.id);
  watch = await watchScans(seine);
});
afterAll(async () => {
  await watch.close();
  await seine.close();
});

async function expectUndisturbed(scan: number): Promise<void> {
  const { status, listed, ledgered, ledger } = await coverageOf(seine, String(scan));
  expect({ status, listed, ledgered }).toEqual({ status: 'completed', listed: FILES, ledgered: FILES });
  expect(ledger).toEqual([expect.objectContaining({ outcome: 'scanned', objects: FILES })]);
  expect(await digestOf(seine, String(scan))).toBe(undisturbed);
}

/** Starts or resumes a scan, and kills the process when the condition is met. Returns the state at that time. */
async function killWhen(words: readonly string[], wished: (scan: ScanState) => boolean): Promise<ScanState> {
  const running = seine.start(words, { env: { SEINE_LEASE_SECONDS: '3600' } });
  const early = running.ended.then((ended) =>
    expect.fail(`ended before it was killed: ${JSON.stringify(ended)}`),
  );
  await Promise.race([watch.until(wished), early]);
  early.catch(() => {});
  running.kill('SIGKILL');
  await running.ended;
  return whereItStands();
}

/** When nothing that a dead process has sent can change it any more. */
async function whereItStands(): Promise<ScanState> {
  await watch.alone();
  return watch.newest();
}

describe(`kill -9 (seed ${SEED})`, () => {
  it(`${KILLS} times in one scan, wherever it stands`, async () => {
    const random = randomFrom(SEED);
    const before = await watch.newest();
    const places: number[] = [];
    let words: readonly string[] = [...SCAN, '--threads', '1'];
    for (let kill = 1; kill <= KILLS; kill++) {
      const from = places.at(-1) ?? 0;
      // Of the second half there is always enough left: however late the blow comes, the scan has not ended.
      const upTo = from + 1 + Math.floor(random() * ((FILES / 2 - from) / (KILLS - kill + 1)));
      const scan = await killWhen(words, ({ id, listed }) => id > before.id && listed >= upTo);
      places.push(scan.listed);
      words = ['resume', String(scan.id), '-q', '--threads', '1'];
    }
    expect((await watch.newest()).status).not.toBe('completed');
    expect((await seine.run(words)).code, `killed at ${places.join(', ')}`).toBe(0);
    await expectUndisturbed((await watch.newest()).id);
  });

  it('6 times after any while: in the start, the plan, the scan or its end', async () => {
    const random = randomFrom(SEED + 1);
    const first = (await watch.newest()).id;
    const ended = new Set<number>();
    for (let kills = 0; kills < 6; ) {
      const scan = await whereItStands();
      const isOpen = scan.id > first && !ENDED.includes(scan.status);
      const running = seine.start(isOpen ? ['resume', '-q'] : SCAN);
      const delay = Math.round(150 + random() * 1850);
      const outcome = await Promise.race([running.ended, sleep(delay, 'killed' as const)]);
      if (outcome === 'killed') {
        running.kill('SIGKILL');
        await running.ended;
        kills++;
      } else expect(outcome, `after ${kills} kills`).toMatchObject({ code: 0, stderr: '' });
      const { id, status } = await whereItStands();
      if (id > first && status === 'completed') ended.add(id);
    }
    const last = await whereItStands();
    if (!ENDED.includes(last.status)) expect((await seine.run(['resume', '-q'])).code).toBe(0);
    for (const id of ended.add(last.id)) await expectUndisturbed(id);
  });

  it('4 times before it got anywhere: no object is blamed for it', async () => {
    const before = await watch.newest();
    let words: readonly string[] = SCAN;
    for (let kill = 0; kill < 4; kill++) {
      const scan = await killWhen(words, ({ id, held }) => id > before.id && held > 0);
      words = ['resume', String(scan.id), '-q'];
    }
    expect((await seine.run(words)).code).toBe(0);
    await expectUndisturbed((await watch.newest()).id);
  });

  it('5 times in the first moments of its work: no object is blamed for it', async () => {
    let last = await watch.newest();
    const first = last.id;
    let words: readonly string[] = SCAN;
    for (let kill = 0; kill < 5; kill++) {
      const { claims, named, listed } = kill === 0 ? { claims: 0, named: 0, listed: 0 } : last;
      last = await killWhen(words, (scan) => {
        if (scan.id === first || scan.begun < 1 || scan.claims <= claims) return false;
        // First as soon as it has a shard; then, when objects are isolated, as soon as one is marked. A shard that had progressed
        // before the kill is not isolated and continues at once.
        return kill < 3 || scan.named > named || scan.listed > listed;
      });
      words = ['resume', String(last.id), '-q'];
    }
    expect((await seine.run(words)).code).toBe(0);
    await expectUndisturbed(last.id);
  });
});

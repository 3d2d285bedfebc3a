/**
 * `npm test`: everything that must hold, in stages, on a machine that has nothing but Node 20 and npm.
 *
 *   npm test                   all stages
 *   npm test -- unit db        some of them
 *
 * No stage stops the next; the last line counts, and the exit code is 1 if anything failed.
 *
 * Up to UNSTABLE_AT_MOST tests of a stage that fail are run once more, one file at a time: a deadline missed on a crowded machine is not
 * a defect of the product. A test that passes only then is named as unstable in the summary. A property that failed is never run again: other
 * random cases would hide its counterexample. SEINE_RERUN=0 turns this off.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { ensureInstalled, findNode, ROOT as root } from './installation.mjs';

const modules = join(root, 'node_modules');
const APT = '/usr/bin/apt-get';
const STAGE_MINUTES = 20;
const UNSTABLE_AT_MOST = 3;
const stages = [
  { name: 'types', run: () => check('typescript/bin/tsc', '--noEmit') },
  { name: 'style', run: () => check('@biomejs/biome/bin/biome', 'check', '--error-on-warnings') },
  { name: 'unused', run: () => check('knip/bin/knip.js', '--no-progress') },
  { name: 'unit', run: () => vitest('unit') },
  { name: 'db', run: () => vitest('db') },
  { name: 'stores', run: () => vitest('stores') },
  { name: 'e2e', run: () => vitest('e2e') },
  { name: 'chaos', run: () => vitest('chaos') },
  { name: 'browser', run: () => browser() },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  say(
    `No stage is called ${unknown.join(', ')}. There are: ${stages.map((stage) => stage.name).join(', ')}.`,
  );
  process.exit(2);
}
const node = prepare();
/** One line for each thing whose absence skips tests; written by test/support/missing.ts. */
const skippedList = join(mkdtempSync(join(tmpdir(), 'seine-skipped-')), 'list');
const env = {
  ...process.env,
  ...colors(),
  SEINE_SKIPPED_LIST: skippedList,
  ...(mustHaveAll() && { SEINE_REQUIRE_ALL: '1' }),
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
};
const results = [];
for (const stage of stages) {
  if (wanted.length > 0 && !wanted.includes(stage.name)) continue;
  say(`\n━━ ${stage.name} ${'━'.repeat(60 - stage.name.length)}`);
  const started = Date.now();
  const counts = await stage.run();
  results.push({ name: stage.name, ...counts, seconds: (Date.now() - started) / 1000 });
}
report(results);

function prepare() {
  try {
    ensureInstalled({ dev: true, say });
    return findNode();
  } catch (error) {
    say(error.message);
    return finish(0, 1, 0);
  }
}

/** A static check counts as one test. */
async function check(script, ...args) {
  const ok = await run([join(modules, script), ...args]);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

async function vitest(project, more = {}) {
  const first = await vitestOnce(project, [], more);
  const { failures } = first;
  const isFinal =
    failures.length === 0 ||
    failures.length > UNSTABLE_AT_MOST ||
    failures.some(({ message }) => /Property failed|SEINE_SEED|seed \d/.test(message));
  if (isFinal || process.env.SEINE_RERUN === '0') return first;
  say(`\nRunning again, one file at a time: ${failures.map(({ name }) => name).join('; ')}`);
  const files = [...new Set(failures.map(({ file }) => file))];
  const second = await vitestOnce(project, ['--no-file-parallelism', ...files], more);
  const recovered = second.failed === 0 && failures.every(({ name }) => second.ran.has(name));
  if (!recovered) return first;
  return { ...first, passed: first.passed + failures.length, failed: 0, unstable: failures };
}

/** `failures` is empty where something failed that is no single test: a file that could not be loaded, a set-up that threw. */
async function vitestOnce(project, files, more) {
  const folder = mkdtempSync(join(tmpdir(), 'seine-report-'));
  const json = join(folder, 'report.json');
  const args = ['run', '--project', project, '--passWithNoTests', '--reporter=default', '--reporter=json'];
  const ok = await run(
    [join(modules, 'vitest/vitest.mjs'), ...args, `--outputFile.json=${json}`, ...files],
    more,
  );
  const counts = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : {};
  rmSync(folder, { recursive: true });
  const tests = (counts.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
      file,
      name: fullName,
      status,
      message: failureMessages.join('\n'),
    })),
  );
  const failed = counts.numFailedTests ?? 0;
  const failures = tests.filter(({ status }) => status === 'failed');
  const isWhole = failures.length === failed && (counts.testResults ?? []).every(fileHasReason);
  return {
    passed: counts.numPassedTests ?? 0,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: (counts.numPendingTests ?? 0) + (counts.numTodoTests ?? 0),
    ran: new Set(tests.map(({ name }) => name)),
    failures: isWhole ? failures : [],
    unstable: [],
  };
}

/** A file that failed for no failed test of its own was not loaded, or its set-up threw. */
function fileHasReason({ status, assertionResults }) {
  return status !== 'failed' || assertionResults.some((test) => test.status === 'failed');
}

/** In a process group of its own, so that whatever hangs in it can be ended with all its children. */
function run(args, more = {}) {
  const child = spawn(node, args, { cwd: root, env: { ...env, ...more }, stdio: 'inherit', detached: true });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {}
  };
  const timer = setTimeout(() => {
    say(`Stopped after ${STAGE_MINUTES} minutes.`);
    end();
  }, STAGE_MINUTES * 60_000);
  const interrupted = () => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  return new Promise((resolve) => {
    child.on('error', () => resolve(false)).on('exit', (code) => resolve(code === 0));
  }).finally(() => {
    clearTimeout(timer);
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  });
}

function browser() {
  const tests = join(root, 'test/browser');
  if (!existsSync(tests) || readdirSync(tests).length === 0) {
    say('There are no tests for the browser.');
    return { passed: 0, failed: 0, skipped: 0 };
  }
  const found = findChromium() ?? (installChromium() ? findChromium() : undefined);
  if (found) return vitest('browser', { CHROMIUM: found });
  const reason = 'Set CHROMIUM to its path, or install it: apt-get install chromium';
  if (mustHaveAll()) {
    say(`Chromium is missing, and in CI its tests may not be skipped. ${reason}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  appendFileSync(skippedList, `Chromium: ${reason}\n`);
  return { passed: 0, failed: 0, skipped: 1 };
}

/** In CI, where this script may install what is missing. Then tests that lack a server fail instead of being skipped. */
function mustHaveAll() {
  const isCi = Boolean(process.env.CI) && process.env.CI !== 'false';
  return isCi && process.getuid?.() === 0 && existsSync(APT);
}

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

function installChromium() {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return false;
  say('Installing Chromium …');
  const apt = (...args) =>
    spawnSync(APT, ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const chromium = () => apt('install', '-y', '--no-install-recommends', 'chromium');
  return chromium() || (apt('update') && chromium());
}

/** Tools that find CI set would colour a file, too. */
function colors() {
  return process.stdout.isTTY || process.env.FORCE_COLOR ? {} : { NO_COLOR: '1' };
}

function report(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const cell = (value) => String(value).padStart(8);
  say(`\n${'stage'.padEnd(10)}${['passed', 'failed', 'skipped', 'seconds'].map(cell).join('')}`);
  for (const { name, passed, failed, skipped, seconds } of results) {
    const cells = [passed, failed, skipped, seconds.toFixed(1)].map(cell).join('');
    say(`${name.padEnd(10)}${cells}`);
  }
  for (const { file, name } of results.flatMap(({ unstable = [] }) => unstable))
    say(`unstable: failed once, passed when it was run again: ${relative(root, file)} > ${name}`);
  for (const line of skippedLines()) say(`skipped for lack of ${line}`);
  say('');
  finish(sum('passed'), sum('failed'), sum('skipped'));
}

function skippedLines() {
  const lines = existsSync(skippedList) ? readFileSync(skippedList, 'utf8').trim().split('\n') : [];
  rmSync(dirname(skippedList), { recursive: true });
  return [...new Set(lines)];
}

function finish(passed, failed, skipped) {
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(failed === 0 ? 0 : 1);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

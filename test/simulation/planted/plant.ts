/**
 * `node test/simulation/planted/plant.ts [--seeds 1000] [NAME…|scans|workflows]`: does the simulation notice a mistake? Plants one bug after the
 * other in a copy of the sources, and counts the seeds until a promise is broken. Not one of the tests: it takes minutes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUGS, type Bug } from './bugs.ts';
import { WORKFLOW_BUGS } from './workflow-bugs.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1000' } },
});
const copy = mkdtempSync(join(tmpdir(), 'seine-planted-'));
const ALL = [...BUGS, ...WORKFLOW_BUGS];
let missed = 0;
try {
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const bug of ALL.filter(wanted)) process.stdout.write(`${bug.name.padEnd(56)} ${hunt(bug)}\n`);
} finally {
  rmSync(copy, { recursive: true });
}
process.stdout.write(`${missed === 0 ? 'All were found.' : `${missed} were not found.`}\n`);
process.exit(missed === 0 ? 0 : 1);

/** By its name, or by the simulation that must notice it. */
function wanted({ name, of }: Bug): boolean {
  return positionals.length === 0 || positionals.includes(name) || positionals.includes(of ?? 'scans');
}

/** Plants the bug, looks for it and takes it out again. */
function hunt(bug: Bug): string {
  const before = new Map(bug.edits.map(({ file }) => [file, readFileSync(join(copy, file), 'utf8')]));
  try {
    for (const { file, from, to } of bug.edits) edit(join(copy, file), from, to);
    const script = join(copy, 'test/simulation/planted/hunt.ts');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [script, values.seeds, ...(bug.of ? [bug.of] : [])],
      { encoding: 'utf8' },
    );
    const found = stdout === '' ? { seed: 0, broken: [stderr.slice(-300)] } : JSON.parse(stdout);
    if (found !== null) return `seed ${String(found.seed).padStart(4)}  ${found.broken[0].slice(0, 90)}`;
    missed++;
    return 'NOT FOUND';
  } finally {
    for (const [file, text] of before) writeFileSync(join(copy, file), text);
  }
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} has not exactly one: ${from}`);
  writeFileSync(
    file,
    text.replace(from, () => to),
  );
}

/**
 * `node test/simulation/mutations/run-mutations.ts [--seeds 1000] [NAME…|scans|workflows]`: checks that the simulation detects bugs. Applies one
 * mutation after the other to a copy of the sources, and counts the seeds until an invariant is violated. Not one of the tests: it takes minutes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MUTATIONS, type Mutation } from './mutations.ts';
import { WORKFLOW_MUTATIONS } from './workflow-mutations.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1000' } },
});
const copy = mkdtempSync(join(tmpdir(), 'seine-planted-'));
const ALL = [...MUTATIONS, ...WORKFLOW_MUTATIONS];
let survived = 0;
try {
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const bug of ALL.filter(isSelected))
    process.stdout.write(`${bug.name.padEnd(56)} ${runMutation(bug)}\n`);
} finally {
  rmSync(copy, { recursive: true });
}
process.stdout.write(`${survived === 0 ? 'All were found.' : `${survived} were not found.`}\n`);
process.exit(survived === 0 ? 0 : 1);

/** Selected by its name, or by the simulation that must detect it. */
function isSelected({ name, of }: Mutation): boolean {
  return positionals.length === 0 || positionals.includes(name) || positionals.includes(of ?? 'scans');
}

/** Applies the mutation, runs the simulation and restores the sources. */
function runMutation(bug: Mutation): string {
  const before = new Map(bug.edits.map(({ file }) => [file, readFileSync(join(copy, file), 'utf8')]));
  try {
    for (const { file, from, to } of bug.edits) edit(join(copy, file), from, to);
    const script = join(copy, 'test/simulation/mutations/find-seed.ts');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [script, values.seeds, ...(bug.of ? [bug.of] : [])],
      { encoding: 'utf8' },
    );
    const found = stdout === '' ? { seed: 0, broken: [stderr.slice(-300)] } : JSON.parse(stdout);
    if (found !== null) return `seed ${String(found.seed).padStart(4)}  ${found.broken[0].slice(0, 90)}`;
    survived++;
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

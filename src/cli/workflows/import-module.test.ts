/** In a Node process of its own: the runner of the tests has a resolver and a compiler that a user's module never meets. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'seine-outside-')); // no node_modules, no package.json, not below this repository
afterAll(() => rmSync(folder, { recursive: true }));

const loader = new URL('./import-module.ts', import.meta.url).href;
const PROGRAM = `
  const { importModule } = await import(process.argv[1]);
  try {
    const { default: value } = await importModule(process.argv[2]);
    console.log(JSON.stringify({ value }));
  } catch ({ message, hint, kind }) {
    console.log(JSON.stringify({ message, hint, kind }));
  }`;

interface Answer {
  readonly value?: unknown;
  readonly message?: string;
  readonly hint?: string;
  readonly kind?: string;
}

async function load(name: string, text: string): Promise<Answer> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const args = ['--input-type=module', '-e', PROGRAM, loader, file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return JSON.parse(stdout) as Answer;
}

describe('a module outside the repository', () => {
  it('imports seine/workflows from this installation', async () => {
    const order = `
      import { defineWorkflow, reject, type Workflow } from 'seine/workflows';
      type Command = { type: 'place' };
      const order: Workflow<number, Command, { type: 'placed' }> = defineWorkflow<number, Command, { type: 'placed' }>({
        name: 'order', initial: () => 0, decide: () => reject('closed'), evolve: (n) => n + 1,
      });
      export default [order.name, order.decide(0, { type: 'place' }, { id: 'a', now: new Date() }).reason];`;
    expect(await load('order.ts', order)).toEqual({ value: ['order', 'closed'] });
  });

  it('and what it imports in turn, also later, gets the same installation', async () => {
    writeFileSync(join(folder, 'part.ts'), `export { Rejection } from '${partOfSeine('decision.ts')}';`);
    const whole = `
      import { Rejection } from './part.ts';
      const { reject } = await import('seine/workflows');
      export default reject('no') instanceof Rejection;`;
    expect(await load('whole.ts', whole)).toEqual({ value: true });
  });
});

describe('its types', () => {
  it('are found with the tsconfig of the guide', async () => {
    const guide = readFileSync('docs/guides/writing-workflows.md', 'utf8');
    const [, config] = /```json\n(\{\n {2}"compilerOptions"[^`]*)```/.exec(guide)!;
    mkdirSync(join(folder, 'typed'));
    writeFileSync(join(folder, 'typed/tsconfig.json'), config!.replaceAll('/opt/seine', resolve('.')));
    expect(await typesOf('amount: command.amount')).toBe('');
    expect(await typesOf(`amount: 'much'`)).toContain(`Type 'string' is not assignable to type 'number'`);
  });
});

/** What the compiler says of a workflow whose decide answers this. */
async function typesOf(event: string): Promise<string> {
  writeFileSync(
    join(folder, 'typed/order.ts'),
    `import { type ActionDone, act, defineWorkflow } from 'seine/workflows';
     type Command = { type: 'place'; amount: number };
     type Event = { type: 'placed'; amount: number } | ActionDone<'mail', string>;
     export const order = defineWorkflow<{ sum: number }, Command, Event>({
       name: 'order',
       initial: () => ({ sum: 0 }),
       decide: (_, command) => ({ type: 'placed', ${event} }),
       evolve: (state, event) => (event.type === 'placed' ? { sum: event.amount } : state),
       react: () => act('mail'),
     });`,
  );
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const args = [compiler, '--project', 'typed', '--pretty', 'false'];
  const compiled = promisify(execFile)(process.execPath, args, { cwd: folder });
  return compiled.then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

function partOfSeine(file: string): string {
  return new URL(`../../workflows/${file}`, import.meta.url).href;
}

describe('syntax that Node does not run is named with file, line and what to write instead', () => {
  it.each([
    ['enum', 'const a: number = 1;\nenum Status { Open, Paid }', 2, 'enum', "'open' | 'paid'"],
    ['namespace', 'export namespace Prices { export const net = 1; }', 1, 'namespace', 'from a module'],
    ['property', 'class A {\n  constructor(private readonly a: number) {}\n}', 2, 'parameter', 'this.name'],
    ['decorator', 'const d = (x: unknown) => x;\n\n@d\nclass B {}', 3, 'decorator', 'Call the function'],
    ['bracket', 'const a: number = 1;\nconst b = [1, 2;', 2, "Expected ','", 'Correct the file'],
    ['require', 'import fs = require("node:fs");', 1, 'import equals', 'import … from'],
  ])('%s', async (name, text, line, what, instead) => {
    const { kind, message, hint } = await load(`${name}.ts`, `${text}\nexport default 1;`);
    expect(kind).toBe('usage');
    expect(message).toContain(`${join(folder, `${name}.ts`)}:${line} could not be loaded`);
    expect(message).toContain(what);
    expect(hint).toContain(instead);
  });

  it('also in a file that the module imports', async () => {
    writeFileSync(join(folder, 'inner.ts'), '\n\nexport enum Inner { A }');
    const { message } = await load(
      'outer.ts',
      `import { Inner } from './inner.ts';\nexport default Inner.A;`,
    );
    expect(message).toContain(`${join(folder, 'inner.ts')}:3 could not be loaded`);
  });

  it('also a syntax error in a file that the module imports', async () => {
    writeFileSync(join(folder, 'broken.mjs'), '\nexport const a = ;');
    const { message } = await load('above.ts', `import { a } from './broken.mjs';\nexport default a;`);
    expect(message).toContain(`${join(folder, 'broken.mjs')}:2 could not be loaded`);
  });
});

describe('an import that does not work is explained', () => {
  it('of a type, which is not there at run time', async () => {
    writeFileSync(join(folder, 'types.ts'), 'export type Amount = number;');
    const { message, hint } = await load(
      'uses.ts',
      `import { Amount } from './types.ts';\nexport default 1;`,
    );
    expect(message).toContain(`does not provide an export named 'Amount'`);
    expect(hint).toContain('import type');
  });

  it('of a file without its extension', async () => {
    const { message, hint } = await load('short.ts', `import './types';\nexport default 1;`);
    expect(message).toContain('Cannot find module');
    expect(hint).toContain('./order.ts');
  });
});

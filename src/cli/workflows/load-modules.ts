/** Loads the workflows and projections that user modules export, as made by `defineWorkflow` and `defineProjection`. */
import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { SeineError } from '../../base/errors.ts';
import type { Config } from '../../config.ts';
import { scanWorkflow } from '../../scans/lifecycle/scan-workflow.ts';
import type { AnyWorkflow } from '../../workflows/define.ts';
import { type Projection, workflowsOf } from '../../workflows/projections/projection.ts';
import { foreignCode } from '../foreign-code.ts';
import { importModule } from './import-module.ts';

export interface ModuleFlags {
  readonly module?: readonly string[];
}

/** Returns the workflows with these names, or all of them. */
export async function chooseWorkflows(
  config: Config,
  flags: ModuleFlags,
  names: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<AnyWorkflow[]> {
  const files = moduleFiles(config, flags, env);
  const found = await loadWorkflows(files);
  if (found.length === 0 && names.length === 0) throw noneFound(files);
  if (names.length === 0) return found;
  return [...new Set(names)].map((name) => {
    const workflow = [...found, scanWorkflow].find((one) => one.name === name);
    if (!workflow && found.length === 0) throw noneFound(files);
    if (workflow) return workflow;
    throw new SeineError('usage', `No workflow ${name} in ${files.join(', ')}.`, {
      hint: `Available: ${found.map((one) => one.name).join(', ')}.`,
    });
  });
}

/** From --module, else SEINE_WORKFLOWS, else seine.yaml. */
export function moduleFiles(config: Config, flags: ModuleFlags, env: NodeJS.ProcessEnv): string[] {
  if (flags.module && flags.module.length > 0) return flags.module.map((path) => resolve(path));
  const listed = env.SEINE_WORKFLOWS?.split(delimiter).filter((path) => path !== '') ?? [];
  return listed.length > 0 ? listed.map((path) => resolve(path)) : [...config.workflows];
}

/** Returns the projections of the modules that read at least one of these workflows. */
export async function chooseProjections(
  config: Config,
  flags: ModuleFlags,
  workflows: readonly AnyWorkflow[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Projection[]> {
  const names = new Set(workflows.map(({ name }) => name));
  const projections: Projection[] = [];
  for (const file of moduleFiles(config, flags, env))
    projections.push(...Object.values(await importFile(file)).filter(isProjection));
  return byNames(projections, 'projections').filter((one) =>
    workflowsOf(one).some((name) => names.has(name)),
  );
}

async function loadWorkflows(files: readonly string[]): Promise<AnyWorkflow[]> {
  const workflows: AnyWorkflow[] = [];
  for (const file of files) {
    const exported = Object.values(await importFile(file));
    if (!exported.some((one) => isWorkflow(one) || isProjection(one))) throw exportsNone(file);
    workflows.push(...exported.filter(isWorkflow));
  }
  return byNames(workflows, 'workflows');
}

/** One object may be exported several times; two objects of the same name are an error. */
function byNames<T extends { readonly name: string }>(found: readonly T[], what: string): T[] {
  const byName = new Map<string, T>();
  for (const one of found) {
    const other = byName.get(one.name);
    if (other && other !== one) throw duplicateName(one.name, what);
    byName.set(one.name, one);
  }
  return [...byName.values()];
}

async function importFile(file: string): Promise<object> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new SeineError('usage', `No such file: ${file}`, {
      hint: 'Pass a .ts, .js or .mjs file that exports workflows.',
    });
  foreignCode.isLoaded = true;
  return importModule(file);
}

/** Checks the shape, not the class: the module may have its own copy of Seine. */
function isWorkflow(value: unknown): value is AnyWorkflow {
  if (typeof value !== 'object' || value === null) return false;
  const { name, initial, decide, evolve, version, snapshotEvery } = value as Partial<AnyWorkflow>;
  const functions = [initial, decide, evolve].every((one) => typeof one === 'function');
  return functions && typeof name === 'string' && [version, snapshotEvery].every(Number.isInteger);
}

function isProjection(value: unknown): value is Projection {
  if (typeof value !== 'object' || value === null) return false;
  const { name, from, init, apply, reset } = value as Partial<Projection>;
  const functions = [init, apply, reset].every((one) => typeof one === 'function');
  return functions && typeof name === 'string' && Array.isArray(from);
}

function noneFound(files: readonly string[]): SeineError {
  const message =
    files.length > 0 ? `No workflow in ${files.join(', ')}.` : 'No workflow modules configured.';
  return new SeineError('usage', message, {
    hint: 'Specify the module: --module FILE, SEINE_WORKFLOWS, or workflows: in seine.yaml.',
  });
}

function exportsNone(file: string): SeineError {
  return new SeineError('usage', `${file} exports no workflow.`, {
    hint: 'Export what defineWorkflow returns: export const order = defineWorkflow({ … })',
  });
}

function duplicateName(name: string, what: string): SeineError {
  return new SeineError('usage', `Two ${what} are named ${name}.`, {
    hint: 'Rename one of them, or omit its module.',
  });
}

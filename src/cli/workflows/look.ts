/** What `seine workflows list`, `show`, `events` and `parked` print. */
import { SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { wholeNumber } from '../../config.ts';
import { type AttributeFilter, compileAttributeFilter } from '../../filter/attribute-filter.ts';
import { mistake } from '../../filter/mistake.ts';
import { parkedWorkflows } from '../../workflows/control/parked.ts';
import {
  attributeNames,
  findWorkflows,
  listWorkflows,
  type WorkflowLine,
} from '../../workflows/look/look-store.ts';
import { eventsOf, showWorkflow, type WorkflowView } from '../../workflows/look/show-workflow.ts';
import { commandAgain } from '../again.ts';
import type { CommonFlags } from '../options.ts';
import { counted } from '../output/quantities.ts';
import { type Align, table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { withApp } from '../with-app.ts';
import { print, say, when } from './print.ts';

export interface LookFlags extends CommonFlags {
  readonly workflow?: string;
  readonly status?: 'running' | 'paused' | 'completed' | 'cancelled' | 'parked';
  readonly where?: string;
  readonly after?: string;
  readonly limit?: string;
}

const MOST = 1_000_000;
const LAST_KEY = Number.MAX_SAFE_INTEGER;
/** Workflows whose attributes say which names there are. */
const NEWEST = 1000;

export async function listAll(flags: LookFlags): Promise<void> {
  const limit = wholeNumber('--limit', flags.limit, 50, 1, MOST);
  const after = flags.after === undefined ? undefined : wholeNumber('--after', flags.after, 0, 1, LAST_KEY);
  const where = flags.where === undefined ? null : compileAttributeFilter(flags.where);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const filter = { tenant, name: flags.workflow, status: flags.status, after };
    const lines = where
      ? await findWorkflows(db, { ...filter, jsonpath: where.jsonpath }, limit)
      : await listWorkflows(db, filter, limit);
    if (where && lines.length === 0 && after === undefined)
      checkAttributes(flags.where!, where, await attributeNames(db, filter, NEWEST));
    if (flags.json) return print(lines.map((line) => JSON.stringify(line)));
    if (lines.length === 0) return say('There is no such workflow.');
    const head = [
      'KEY',
      'WORKFLOW',
      'ID',
      'STATUS',
      'EVENTS',
      'BEHIND',
      'CHANGED',
      ...(where ? ['ATTRIBUTES'] : []),
    ];
    const rows = lines.map((line) => [...rowOf(line), ...(where ? [attributesText(line)] : [])]);
    printTable(['right', 'left', 'left', 'left', 'right', 'right', 'left', 'left'], [head, ...rows]);
    if (lines.length < limit) return;
    const last = String(lines.at(-1)!.key);
    const same = [
      ...(flags.workflow ? ['--workflow', flags.workflow] : []),
      ...(flags.status ? ['--status', flags.status] : []),
      ...(flags.where ? ['--where', flags.where] : []),
    ];
    say(`There may be more: ${commandAgain(['workflows', 'list', ...same, '--after', last], flags)}`);
  });
}

function rowOf(line: WorkflowLine): string[] {
  return [
    String(line.key),
    visible(line.workflow),
    visible(line.id),
    line.parkedAt && isAlive(line) ? `${line.status}, parked` : line.status,
    String(line.version),
    String(line.version - line.reacted),
    when(line.changedAt),
  ];
}

/** Nothing was found: perhaps because a name is mistyped. */
function checkAttributes(text: string, { names }: AttributeFilter, known: readonly string[]): void {
  const unknown = names.find(({ name }) => !known.includes(name));
  if (unknown === undefined) return;
  const otherwise =
    known.length > 0 ? `the attributes are ${known.join(', ')}` : 'define attributes in the workflow';
  const message = `no workflow has an attribute '${unknown.name}'`;
  throw mistake(text, unknown, message, didYouMean(unknown.name, known, otherwise));
}

function attributesText({ attributes }: WorkflowLine): string {
  return visible(
    Object.entries(attributes ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
}

function isAlive({ status }: WorkflowLine): boolean {
  return status === 'running' || status === 'paused';
}

export async function showOne(workflow: string, id: string, flags: LookFlags): Promise<void> {
  const limit = wholeNumber('--limit', flags.limit, 10, 1, MOST);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const view = await showWorkflow(db, { tenant, workflow, id }, limit);
    if (flags.json) return print([JSON.stringify(view, null, 2)]);
    print(viewLines(view));
    if (view.head.parkedAt && isAlive(view.head))
      say(`Try it again with: ${commandAgain(['workflows', 'retry', workflow, id], flags)}`);
  });
}

function viewLines({
  head,
  actions,
  messages,
  subscriptions,
  rejected,
  parent,
  children,
  events,
}: WorkflowView): string[] {
  const line = (name: string, text: string) => `  ${name.padEnd(12)}  ${visible(text)}`;
  return [
    visible(`${head.workflow} ${head.id}`),
    line('status', `${head.status}, changed ${when(head.changedAt)}, begun ${when(head.createdAt)}`),
    line('events', `${head.version}, reacted to ${head.reacted}${archivedPart(head)}`),
    ...(head.needsVersion > 1 ? [line('code', codeText(head))] : []),
    ...(head.attributes ? [line('attributes', attributesText(head))] : []),
    ...(head.parkedAt ? [line('parked', `${when(head.parkedAt)}, ${triesOf(head)}`)] : []),
    ...(head.error ? [line('error', head.error)] : []),
    ...(head.retryAt && !head.parkedAt
      ? [line('comes again', `${when(head.retryAt)}, ${triesOf(head)}`)]
      : []),
    ...(head.result === null ? [] : [line('result', JSON.stringify(head.result))]),
    ...(head.failure === null ? [] : [line('failure', head.failure)]),
    ...(parent === null ? [] : [line('parent', `${parent.workflow} ${parent.id}`)]),
    ...children.map((one) => line('child', childText(one))),
    ...actions.map((one) => line('action', actionText(one))),
    ...messages.map((one) => line(one.timer === null ? 'message' : 'timer', messageText(one))),
    ...subscriptions.map((one) => line('subscription', subscriptionText(one))),
    ...rejected.map((one) => line('rejected', rejectionText(one))),
    ...events.map(({ version, type, data }) => line(`event ${version}`, `${type} ${JSON.stringify(data)}`)),
  ];
}

function codeText({ needsVersion, deferredSince }: WorkflowView['head']): string {
  const needs = `needs version ${needsVersion}`;
  return deferredSince === null
    ? needs
    : `${needs}, waits ${when(deferredSince).replace(' ago', '')} for a runner that has it`;
}

function actionText(one: WorkflowView['actions'][number]): string {
  const error = one.error === null ? '' : `, ${one.error}`;
  return `${one.name} of event ${one.version}: ${one.state}, ${triesOf(one)}${error}`;
}

function childText(one: WorkflowView['children'][number]): string {
  const error = one.error === null ? '' : `: ${one.error}`;
  const cancelled = one.cancelAt === null ? 'has not ended' : `to be cancelled since ${when(one.cancelAt)}`;
  const name = one.name === one.workflow ? '' : ` as ${one.name}`;
  return `${one.workflow} ${one.id}${name}: ${one.outcome ?? cancelled}${error}`;
}

function messageText(one: WorkflowView['messages'][number]): string {
  const name = one.timer ?? one.type ?? one.kind;
  const cron = one.cron === null ? '' : ` (${one.cron}, ${one.zone})`;
  if (one.parkedAt) return `${name}${cron}: parked ${when(one.parkedAt)}, ${one.error}`;
  return `${name}${cron}: ${one.due === null ? 'held until it is resumed' : `due ${when(one.due)}`}`;
}

function subscriptionText({
  name,
  onWorkflow,
  onId,
  onType,
  tags,
}: WorkflowView['subscriptions'][number]): string {
  const to = [onWorkflow ?? 'any workflow', onId, onType, ...tags].filter((part) => part !== null);
  return `${name}: ${to.join(' ')}`;
}

function rejectionText({ kind, type, timer, reason, at }: WorkflowView['rejected'][number]): string {
  const name = timer === null ? (type ?? kind) : `${type} of timer ${timer}`;
  return `${name}, ${when(at)}: ${reason}`;
}

function archivedPart({ firstVersion, version, purgedAt }: WorkflowView['head']): string {
  if (purgedAt !== null) return `, purged ${when(purgedAt)}`;
  if (firstVersion === null) return version > 0 ? ', all archived' : '';
  return firstVersion > 1 ? `, those before ${firstVersion} archived` : '';
}

function triesOf({ attempts }: { readonly attempts: number }): string {
  return counted(attempts, 'try', 'tries');
}

export async function listEvents(workflow: string, id: string, flags: LookFlags): Promise<void> {
  const limit = wholeNumber('--limit', flags.limit, 100, 1, MOST);
  const after = wholeNumber('--after', flags.after, 0, 0, LAST_KEY);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const events = await eventsOf(db, { tenant, workflow, id }, { after, limit });
    if (flags.json) return print(events.map((event) => JSON.stringify(event)));
    if (events.length === 0) return say(`${workflow} ${id} has no events after ${after}.`);
    const rows = events.map(({ version, at, type, data }) => [
      String(version),
      at.toISOString(),
      visible(type),
      visible(JSON.stringify(data)),
    ]);
    printTable(['right', 'left', 'left', 'left'], [['VERSION', 'AT', 'TYPE', 'DATA'], ...rows]);
    if (events.length < limit) return;
    const last = String(events.at(-1)!.version);
    say(`There may be more: ${commandAgain(['workflows', 'events', workflow, id, '--after', last], flags)}`);
  });
}

export async function listParkedOnes(
  workflow: string | undefined,
  id: string | undefined,
  flags: LookFlags,
): Promise<void> {
  const limit = wholeNumber('--limit', flags.limit, 100, 1, MOST);
  if (workflow === undefined && id !== undefined)
    throw new SeineError('usage', 'An id needs the name of its workflow.');
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const parked = await parkedWorkflows(db, { tenant, workflow, id }, limit);
    if (flags.json) return print(parked.map((one) => JSON.stringify(one)));
    if (parked.length === 0) return say('Nothing is parked.');
    const rows = parked.map((one) => [
      visible(one.workflow),
      visible(one.id),
      one.what === 'reaction' ? `event ${one.version}` : `message ${one.message}`,
      String(one.attempts),
      when(one.since),
      visible(one.error),
    ]);
    const head = ['WORKFLOW', 'ID', 'AT', 'TRIES', 'SINCE', 'WHY'];
    printTable(['left', 'left', 'left', 'right', 'left', 'left'], [head, ...rows]);
    say(`Mend the cause, then: ${commandAgain(['workflows', 'retry', 'NAME', '[ID]'], flags)}`);
  });
}

function printTable(aligns: readonly Align[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(table(aligns, rows));
}

/** `seine workflows list`, `show`, `events` and `parked`. */
import { SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { parseWholeNumber } from '../../config.ts';
import { type AttributeFilter, compileAttributeFilter } from '../../filter/attribute-filter.ts';
import { syntaxErrorAt } from '../../filter/syntax-error.ts';
import { parkedWorkflows } from '../../workflows/control/parked.ts';
import {
  describeWorkflow,
  eventsOf,
  type WorkflowDescription,
} from '../../workflows/queries/describe-workflow.ts';
import {
  attributeNames,
  findWorkflows,
  listWorkflows,
  type WorkflowSummary,
} from '../../workflows/queries/workflow-queries.ts';
import type { CommonFlags } from '../options.ts';
import { pluralize } from '../output/quantities.ts';
import { type Align, table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { formatTime, log, print } from './print.ts';

export interface QueryFlags extends CommonFlags {
  readonly workflow?: string;
  readonly status?: 'running' | 'paused' | 'completed' | 'cancelled' | 'parked';
  readonly where?: string;
  readonly after?: string;
  readonly limit?: string;
}

const MAX = 1_000_000;
const LAST_KEY = Number.MAX_SAFE_INTEGER;
/** How many workflows are searched for attribute names. */
const NEWEST = 1000;

export async function listAll(flags: QueryFlags): Promise<void> {
  const limit = parseWholeNumber('--limit', flags.limit, 50, 1, MAX);
  const after =
    flags.after === undefined ? undefined : parseWholeNumber('--after', flags.after, 0, 1, LAST_KEY);
  const where = flags.where === undefined ? null : compileAttributeFilter(flags.where);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const filter = { tenant, name: flags.workflow, status: flags.status, after };
    const lines = where
      ? await findWorkflows(db, { ...filter, jsonpath: where.jsonpath }, limit)
      : await listWorkflows(db, filter, limit);
    if (where && lines.length === 0 && after === undefined)
      checkAttributes(flags.where!, where, await attributeNames(db, filter, NEWEST));
    if (flags.json) return print(lines.map((line) => JSON.stringify(line)));
    if (lines.length === 0) return log('No matching workflows.');
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
    log(`There may be more: ${suggestCommand(['workflows', 'list', ...same, '--after', last], flags)}`);
  });
}

function rowOf(line: WorkflowSummary): string[] {
  return [
    String(line.key),
    visible(line.workflow),
    visible(line.id),
    line.parkedAt && isAlive(line) ? `${line.status}, parked` : line.status,
    String(line.version),
    String(line.version - line.reacted),
    formatTime(line.changedAt),
  ];
}

/** Called when nothing was found: reports an attribute name that no workflow has, which may be a typing error. */
function checkAttributes(text: string, { names }: AttributeFilter, known: readonly string[]): void {
  const unknown = names.find(({ name }) => !known.includes(name));
  if (unknown === undefined) return;
  const otherwise =
    known.length > 0 ? `the attributes are ${known.join(', ')}` : 'define attributes in the workflow';
  const message = `no workflow has an attribute '${unknown.name}'`;
  throw syntaxErrorAt(text, unknown, message, didYouMean(unknown.name, known, otherwise));
}

function attributesText({ attributes }: WorkflowSummary): string {
  return visible(
    Object.entries(attributes ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
}

function isAlive({ status }: WorkflowSummary): boolean {
  return status === 'running' || status === 'paused';
}

export async function showOne(workflow: string, id: string, flags: QueryFlags): Promise<void> {
  const limit = parseWholeNumber('--limit', flags.limit, 10, 1, MAX);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const view = await describeWorkflow(db, { tenant, workflow, id }, limit);
    if (flags.json) return print([JSON.stringify(view, null, 2)]);
    print(viewLines(view));
    if (view.head.parkedAt && isAlive(view.head))
      log(`Retry with: ${suggestCommand(['workflows', 'retry', workflow, id], flags)}`);
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
}: WorkflowDescription): string[] {
  const line = (name: string, text: string) => `  ${name.padEnd(12)}  ${visible(text)}`;
  return [
    visible(`${head.workflow} ${head.id}`),
    line(
      'status',
      `${head.status}, changed ${formatTime(head.changedAt)}, begun ${formatTime(head.createdAt)}`,
    ),
    line('events', `${head.version}, reacted to ${head.reacted}${archivedPart(head)}`),
    ...(head.needsVersion > 1 ? [line('code', codeText(head))] : []),
    ...(head.attributes ? [line('attributes', attributesText(head))] : []),
    ...(head.parkedAt ? [line('parked', `${formatTime(head.parkedAt)}, ${attemptsText(head)}`)] : []),
    ...(head.error ? [line('error', head.error)] : []),
    ...(head.retryAt && !head.parkedAt
      ? [line('next retry', `${formatTime(head.retryAt)}, ${attemptsText(head)}`)]
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

function codeText({ needsVersion, deferredSince }: WorkflowDescription['head']): string {
  const needs = `needs version ${needsVersion}`;
  return deferredSince === null
    ? needs
    : `${needs}, waiting for a runner that has it since ${formatTime(deferredSince)}`;
}

function actionText(one: WorkflowDescription['actions'][number]): string {
  const error = one.error === null ? '' : `, ${one.error}`;
  return `${one.name} of event ${one.version}: ${one.state}, ${attemptsText(one)}${error}`;
}

function childText(one: WorkflowDescription['children'][number]): string {
  const error = one.error === null ? '' : `: ${one.error}`;
  const cancelled = one.cancelAt === null ? 'running' : `cancellation requested ${formatTime(one.cancelAt)}`;
  const name = one.name === one.workflow ? '' : ` as ${one.name}`;
  return `${one.workflow} ${one.id}${name}: ${one.outcome ?? cancelled}${error}`;
}

function messageText(one: WorkflowDescription['messages'][number]): string {
  const name = one.timer ?? one.type ?? one.kind;
  const cron = one.cron === null ? '' : ` (${one.cron}, ${one.zone})`;
  if (one.parkedAt) return `${name}${cron}: parked ${formatTime(one.parkedAt)}, ${one.error}`;
  return `${name}${cron}: ${one.due === null ? 'held until the workflow is resumed' : `due ${formatTime(one.due)}`}`;
}

function subscriptionText({
  name,
  onWorkflow,
  onId,
  onType,
  tags,
}: WorkflowDescription['subscriptions'][number]): string {
  const to = [onWorkflow ?? 'any workflow', onId, onType, ...tags].filter((part) => part !== null);
  return `${name}: ${to.join(' ')}`;
}

function rejectionText({ kind, type, timer, reason, at }: WorkflowDescription['rejected'][number]): string {
  const name = timer === null ? (type ?? kind) : `${type} of timer ${timer}`;
  return `${name}, ${formatTime(at)}: ${reason}`;
}

function archivedPart({ firstVersion, version, purgedAt }: WorkflowDescription['head']): string {
  if (purgedAt !== null) return `, purged ${formatTime(purgedAt)}`;
  if (firstVersion === null) return version > 0 ? ', all archived' : '';
  return firstVersion > 1 ? `, those before ${firstVersion} archived` : '';
}

function attemptsText({ attempts }: { readonly attempts: number }): string {
  return pluralize(attempts, 'try', 'tries');
}

export async function listEvents(workflow: string, id: string, flags: QueryFlags): Promise<void> {
  const limit = parseWholeNumber('--limit', flags.limit, 100, 1, MAX);
  const after = parseWholeNumber('--after', flags.after, 0, 0, LAST_KEY);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const events = await eventsOf(db, { tenant, workflow, id }, { after, limit });
    if (flags.json) return print(events.map((event) => JSON.stringify(event)));
    if (events.length === 0) return log(`${workflow} ${id} has no events after ${after}.`);
    const rows = events.map(({ version, at, type, data }) => [
      String(version),
      at.toISOString(),
      visible(type),
      visible(JSON.stringify(data)),
    ]);
    printTable(['right', 'left', 'left', 'left'], [['VERSION', 'AT', 'TYPE', 'DATA'], ...rows]);
    if (events.length < limit) return;
    const last = String(events.at(-1)!.version);
    log(
      `There may be more: ${suggestCommand(['workflows', 'events', workflow, id, '--after', last], flags)}`,
    );
  });
}

export async function listParked(
  workflow: string | undefined,
  id: string | undefined,
  flags: QueryFlags,
): Promise<void> {
  const limit = parseWholeNumber('--limit', flags.limit, 100, 1, MAX);
  if (workflow === undefined && id !== undefined)
    throw new SeineError('usage', 'Specify the workflow type before the id.');
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const parked = await parkedWorkflows(db, { tenant, workflow, id }, limit);
    if (flags.json) return print(parked.map((one) => JSON.stringify(one)));
    if (parked.length === 0) return log('No parked reactions or messages.');
    const rows = parked.map((one) => [
      visible(one.workflow),
      visible(one.id),
      one.what === 'reaction' ? `event ${one.version}` : `message ${one.message}`,
      String(one.attempts),
      formatTime(one.since),
      visible(one.error),
    ]);
    const head = ['WORKFLOW', 'ID', 'AT', 'TRIES', 'SINCE', 'WHY'];
    printTable(['left', 'left', 'left', 'right', 'left', 'left'], [head, ...rows]);
    log(`Fix the cause, then: ${suggestCommand(['workflows', 'retry', 'NAME', '[ID]'], flags)}`);
  });
}

function printTable(aligns: readonly Align[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(table(aligns, rows));
}

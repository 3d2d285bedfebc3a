/** Checks across settings, for those that contradict each other. */
import { SeineError } from '../base/errors.ts';
import { parseBudget } from '../engine/budget/parse-budget.ts';
import type { HookValues, SourceValues, Values } from './declaration/declaration.ts';
import { nameHooks } from './hook-config.ts';
import type { Problem } from './problem.ts';
import { canonicalTarget, providerOf } from './source-config.ts';
import type { ParsedSettings } from './values/read-settings.ts';

/** `missing`: a setting that the problem is about. No problem is reported if that setting is present but invalid. */
type ReportProblem = (setting: string, message: string, hint: string, missing?: string) => void;

export function runCrossChecks({ values, settings, problems }: ParsedSettings<Values>): Problem[] {
  const found: Problem[] = [];
  const invalid = new Set(problems.map((problem) => problem.setting));
  const report: ReportProblem = (setting, message, hint, missing = setting) => {
    const origin = settings.find(({ path }) => path === setting)?.origin ?? { kind: 'default' };
    if (!invalid.has(setting) && !invalid.has(missing))
      found.push({ level: 'error', setting, origin, message, hint });
  };
  if (values.mode === 'distributed' && !values.database.url) {
    report(
      'mode',
      'distributed mode requires a database shared by all workers',
      'set DATABASE_URL, or database.url_env in the file',
      'database.url',
    );
  }
  checkHeartbeat(values.queue, report);
  checkBudget(values.budget, report);
  checkSources(values.sources, report);
  checkHooks(values.hooks, report);
  return found;
}

function checkHeartbeat(queue: Values['queue'], report: ReportProblem): void {
  if (queue.stale_threshold >= 2 * queue.heartbeat_interval) return;
  report(
    'queue.stale_threshold',
    'queue.stale_threshold must be at least twice queue.heartbeat_interval',
    'otherwise one late heartbeat makes a worker stale',
  );
}

/** Keeps only the first line of the error: the budget parser also marks the position in the text. */
function checkBudget(budget: string | undefined, report: ReportProblem): void {
  try {
    if (budget !== undefined) parseBudget(budget);
  } catch (error) {
    if (!(error instanceof SeineError)) throw error;
    const [message, hint] = [error.message, error.hint ?? ''].map((text) => text.split('\n')[0]!);
    report('budget', `budget: ${message!.replace(/ \(column \d+\)$/, '')}`, hint!);
  }
}

function checkSources(sources: readonly SourceValues[], report: ReportProblem): void {
  const known = new Map<string, number>();
  for (const [index, source] of sources.entries()) {
    const path = `sources[${index}]`;
    if (source.url === undefined) continue;
    const target = canonicalTarget(source.url);
    const twin = known.get(target);
    if (twin !== undefined)
      report(`${path}.url`, `${path} has the same url as sources[${twin}]`, 'merge them');
    known.set(target, index);
    checkCredentials(source, path, report);
    checkProvider(source, target, path, report);
  }
}

function checkCredentials(
  { anonymous, credentials }: SourceValues,
  path: string,
  report: ReportProblem,
): void {
  const given = namesOf(credentials);
  if (anonymous && given.length > 0) {
    report(`${path}.anonymous`, `${path} is anonymous and has credentials`, 'keep one of them');
  }
  for (const [one, other] of [
    ['access_key_id', 'secret_access_key'],
    ['secret_access_key', 'access_key_id'],
    ['session_token', 'secret_access_key'],
  ] as const) {
    if (!given.includes(one) || given.includes(other)) continue;
    report(
      `${path}.credentials.${one}`,
      `${path}.credentials has ${one} but no ${other}`,
      `add ${other}_env or ${other}_file`,
      `${path}.credentials.${other}`,
    );
  }
}

/** Settings that only some providers have. */
const PROVIDERS_OF_SETTING: Readonly<Record<string, readonly string[]>> = {
  region: ['s3'],
  profile: ['s3'],
  path_style: ['s3'],
  requester_pays: ['s3', 'gcs'],
  account: ['azure'],
  project: ['gcs'],
  shared: ['fs'],
  endpoint: ['s3', 'gcs', 'azure'],
  anonymous: ['s3', 'gcs', 'azure'],
  'credentials.access_key_id': ['s3'],
  'credentials.secret_access_key': ['s3'],
  'credentials.session_token': ['s3'],
  'credentials.connection_string': ['azure'],
  'credentials.account_key': ['azure'],
  'credentials.sas_token': ['azure'],
  'credentials.key_file': ['gcs'],
  'credentials.token': ['gcs'],
};

/** Unknown providers are not checked. */
function checkProvider(source: SourceValues, target: string, path: string, report: ReportProblem): void {
  const provider = providerOf(target);
  if (provider === null) return;
  const given = [...namesOf(source), ...namesOf(source.credentials).map((name) => `credentials.${name}`)];
  for (const name of given) {
    const providers = PROVIDERS_OF_SETTING[name];
    if (!providers || providers.includes(provider)) continue;
    report(
      `${path}.${name}`,
      `${path}.${name} is for ${providers.join(' and ')}, not for ${provider}`,
      'remove it',
    );
  }
}

function checkHooks(hooks: readonly HookValues[], report: ReportProblem): void {
  const names = nameHooks(hooks);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) === index) continue;
    report(`hooks[${index}].name`, `two hooks are named ${name}`, 'give each its own name');
  }
}

function namesOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(values).filter((name) => values[name] !== undefined);
}

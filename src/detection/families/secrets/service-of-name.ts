import { labelLengths, type NamedService, serviceByLabel } from '../../data/service-list.ts';

const SEPARATORS = /[^A-Za-z0-9]+/g;
const SEPARATED_BEFORE = /[^A-Za-z0-9]/;
/** A noun that ends the last word, as in `shodankey` or `apitoken`. */
const ENDING = /(api|access|auth|secret|client|private|app)?(key|token|secret)$/;
const NOUNS = new Set([
  ...['key', 'token', 'secret', 'api', 'access', 'auth', 'oauth', 'client', 'app', 'application', 'account'],
  ...[
    'private',
    'personal',
    'service',
    'bearer',
    'refresh',
    'bot',
    'rest',
    'admin',
    'secure',
    'v1',
    'v2',
    'v3',
  ],
]);
/** What may precede a label that is also an ordinary word: headers, and the variables that build tools pass on. */
const LEADING = new Set(['x', 'my', 'vite', 'next', 'public', 'nuxt', 'react', 'app', 'prod', 'dev', 'test']);
/** The word before the nouns that makes them something else than a credential. */
const NO_SECRET = new Set([
  ...['public', 'pub', 'publishable', 'primary', 'foreign', 'partition', 'sort', 'cache', 'site', 'row'],
  ...['idempotency', 'csrf', 'object', 'config', 'settings', 'setting', 'storage', 'page', 'sync', 'lookup'],
]);

/** Files repeat their names. Cleared when full, so hostile text cannot make it grow. */
const known = new Map<string, NamedService | null>();
const MAX_KNOWN = 1024;

/** The service that the name of an assignment mentions, such as SHODAN_API_KEY, `shodanApiKey` or `X-Shodan-Key`; null if none. */
export function serviceOfName(name: string): NamedService | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = findService(name);
  if (known.size === MAX_KNOWN) known.clear();
  known.set(name, found);
  return found;
}

function findService(name: string): NamedService | null {
  const text = name.replace(SEPARATORS, '').toLowerCase();
  const bounds = wordBounds(name, text);
  const count = bounds.length - 1;
  const wordAt = (n: number) => text.slice(bounds[n], bounds[n + 1]);
  let nouns = 0;
  while (nouns < count && NOUNS.has(wordAt(count - 1 - nouns))) nouns++;
  if (nouns === 0) return null;
  let leading = 0;
  while (leading < count && LEADING.has(wordAt(leading))) leading++;
  const nounsFrom = bounds[count - nouns]!;
  const noSecret =
    nouns < count && NO_SECRET.has(wordAt(count - nouns - 1)) ? bounds[count - nouns - 1]! : -1;
  for (let from = 0; from < count; from++) {
    const start = bounds[from]!;
    for (const length of labelLengths(text, start)) {
      const end = start + length;
      if (end >= text.length || end <= noSecret || !bounds.includes(end)) continue;
      const found = serviceByLabel(text.slice(start, end));
      if (found === undefined) continue;
      // After an ordinary word come only nouns, two or more: BOX_API_KEY, but not BOX_KEY, BOX_SIZE_API_KEY or IN_BOX_API_KEY.
      if (!found.ordinary || (from === leading && end === nounsFrom && nouns > 1)) return found;
    }
  }
  return null;
}

/** Where the words begin in `text`, the name in small letters without separators, and its end. */
function wordBounds(name: string, text: string): number[] {
  const bounds = [0];
  let at = 0;
  for (let i = 0; i < name.length; i++) {
    if (SEPARATED_BEFORE.test(name[i]!)) {
      if (at > bounds.at(-1)!) bounds.push(at);
      continue;
    }
    if (beginsHump(name, i) && at > bounds.at(-1)!) bounds.push(at);
    at++;
  }
  const last = text.slice(bounds.at(-1));
  const ending = ENDING.exec(last);
  if (ending !== null) {
    const head = text.length - ending[0].length;
    const noun = text.length - ending[2]!.length;
    if (head > bounds.at(-1)!) bounds.push(head);
    if (noun > bounds.at(-1)!) bounds.push(noun);
  }
  if (text.length > bounds.at(-1)!) bounds.push(text.length);
  return bounds;
}

/** A capital letter after a small one or a digit, or the last of several before a small letter: `shodanKey`, `abuseIPDBKey`. */
function beginsHump(name: string, at: number): boolean {
  if (at === 0 || !isCapital(name.charCodeAt(at))) return false;
  return !isCapital(name.charCodeAt(at - 1)) || isSmall(name.charCodeAt(at + 1));
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

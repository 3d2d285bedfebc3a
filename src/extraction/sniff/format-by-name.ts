import type { Format } from '../extraction.ts';

/** The text format that a name implies; null: none. */
export function formatByName(name: string): Format | null {
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const baseName = withoutBackupSuffix(base);
  if (base.startsWith('.env') || baseName.endsWith('.env')) return 'env';
  if (LOG.test(baseName)) return 'log';
  const ending = baseName.slice(baseName.lastIndexOf('.') + 1);
  // The manual's page `c.1` is no program, and `json.txt` may be about anything.
  if (ending === baseName && baseName !== base && !WHOLE.has(baseName)) return null;
  return byEnding.get(ending) ?? null;
}

/** Suffixes appended to names: `app.log.1`, `access.log-20260101`, `x.csv.bak`, `x.json~`, `x.csv.part-0001`, `x (1)`, `x.csv.txt`. */
const BACKUP_SUFFIX =
  /(?:~|#| ?\([^()]{1,16}\)|[._-](?:\d[\dtz]*|bak|backup|copy|default|disabled|dist|download|example|new|old|orig|original|part|partial|prev|rej|sample|sav|save|saved|swo|swp|template|temp|tmp|txt))$/;
const MAX_SUFFIXES = 8;

function withoutBackupSuffix(base: string): string {
  let name = base;
  for (let n = 0; n < MAX_SUFFIXES; n++) {
    const shorter = name.replace(BACKUP_SUFFIX, '');
    if (shorter === '' || shorter === name) break;
    name = shorter;
  }
  return name;
}

/** `syslog`, `access_log`, `mail-log`. */
const LOG = /^syslog$|[_-]log$/;
const WHOLE = new Set(['dockerfile', 'makefile']);

/** Calendars, contacts and tables without an extension are detected by their content only. */
const endings: Readonly<Record<Exclude<Format, 'text' | 'env' | 'ics' | 'vcf'>, string>> = {
  csv: 'csv',
  tsv: 'tsv tab',
  json: 'json geojson har ipynb webmanifest',
  ndjson: 'ndjson jsonl',
  xml: 'xml svg xsd xsl xslt rss atom plist wsdl kml gpx',
  html: 'html htm xhtml',
  markdown: 'md markdown mdx',
  log: 'log out err stdout stderr',
  ini: 'ini cfg conf cnf properties toml editorconfig',
  yaml: 'yaml yml',
  eml: 'eml',
  mbox: 'mbox mbx',
  code:
    'ts tsx mts cts js jsx mjs cjs py rb go rs java kt kts scala groovy gradle c h cc cpp cxx hpp cs fs vb swift m mm ' +
    'php pl pm lua r jl ex exs erl clj hs ml dart sh bash zsh fish ps1 psm1 bat cmd sql tf tfvars hcl css scss less ' +
    'vue svelte proto graphql gql dockerfile makefile cmake sol zig nim',
};

const byEnding = new Map<string, Format>();
for (const [format, list] of Object.entries(endings)) {
  for (const ending of list.split(' ')) byEnding.set(ending, format as Format);
}

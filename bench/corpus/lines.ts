/**
 * Lines of believable files: logs, records, tables, prose, code. They are full of values that
 * resemble sensitive data (dates, times, versions, sums, identifiers in hexadecimal) and are not.
 */
import type { Random } from '../../examples/generator/random.ts';
import { AGENTS, LEVELS, MODULES, WORDS } from './words.ts';

export interface Kind {
  readonly extension: string;
  readonly head: string;
  line(random: Random): string;
  /** The same sort of line, with this text in it. */
  holding(text: string, random: Random): string;
}

export const KINDS: readonly Kind[] = [
  {
    extension: 'log',
    head: '',
    line: (r) =>
      `${stamp(r)} ${r.pick(LEVELS)} [worker-${r.int(1, 16)}] ${r.pick(MODULES)} - ${phrase(r, 6)} ${r.int(1, 99999)} in ${r.int(1, 900)} ms (request ${hex(r)}${hex(r)})`,
    holding: (text, r) => `${stamp(r)} WARN  [worker-${r.int(1, 16)}] ${r.pick(MODULES)} - ${text}`,
  },
  {
    extension: 'access.log',
    head: '',
    line: (r) =>
      `edge-${r.int(10, 40)} - - [${two(r.int(1, 28))}/Mar/2025:${r.clock()} +0000] "GET /${r.pick(WORDS)}/${r.pick(WORDS)}/${r.int(1, 99999)}?page=${r.int(1, 40)} HTTP/1.1" ${r.pick([200, 200, 200, 304, 404])} ${r.int(200, 90000)} "-" "${r.pick(AGENTS)}"`,
    holding: (text, r) => `edge-${r.int(10, 40)} - - "${text}"`,
  },
  {
    extension: 'ndjson',
    head: '',
    line: (r) =>
      `{"id":${r.int(1, 999999)},"sku":"${r.pick(WORDS).slice(0, 2)}-${r.int(100, 999)}-${r.pick(['a', 'b', 'c'])}","created":"${stamp(r)}","title":"${phrase(r, 4)}","tags":["${r.pick(WORDS)}","${r.pick(WORDS)}"],"price":${r.int(1, 400)}.${two(r.int(0, 99))},"stock":${r.int(0, 900)},"ref":"${hex(r)}-${hex(r).slice(4)}"}`,
    holding: (text, r) =>
      JSON.stringify({ id: r.int(1, 999999), created: stamp(r), title: phrase(r, 2), note: text }),
  },
  {
    extension: 'csv',
    head: 'id,article,title,quantity,price,updated,warehouse,hash\n',
    line: (r) => row(r, phrase(r, 3)),
    holding: (text, r) => row(r, `"${text.replaceAll('"', '""')}"`),
  },
  {
    extension: 'md',
    head: '# Notes\n\n',
    line: (r) =>
      `${capital(phrase(r, 7))}, ${phrase(r, 5)} in ${r.int(1990, 2025)}; ${r.int(2, 90)} of them ${phrase(r, 3)}.`,
    holding: (text, r) => `${capital(phrase(r, 4))}. ${text}`,
  },
  {
    extension: 'ts',
    head: "import { run } from './run.ts';\n\n",
    line: (r) =>
      r.pick([
        `  const ${camel(r)} = await ${camel(r)}(${r.pick(WORDS)}, { limit: ${r.int(1, 500)}, retry: ${r.chance(0.5)} });`,
        `  if (${camel(r)}.length > ${r.int(1, 90)} && !${camel(r)}) return ${r.pick(WORDS)}.${camel(r)};`,
        `export function ${camel(r)}(${r.pick(WORDS)}: readonly string[], at = ${r.int(1, 64)}): number {`,
        `  // ${phrase(r, 8)}, see v${r.int(1, 9)}.${r.int(0, 20)}.${r.int(0, 30)}`,
      ]),
    holding: (text) => `  // ${text}`,
  },
  {
    extension: 'yaml',
    head: 'service:\n',
    line: (r) =>
      `  ${r.pick(WORDS)}-${r.pick(WORDS)}: ${r.pick([`"${phrase(r, 3)}"`, String(r.int(1, 65000)), `${r.int(1, 60)}m`, `sha256:${hex(r)}${hex(r)}${hex(r)}${hex(r)}`])}`,
    holding: (text) => `  # ${text}`,
  },
];

function phrase(random: Random, words: number): string {
  let text = random.pick(WORDS);
  for (let i = 1; i < words; i++) text += ` ${random.pick(WORDS)}`;
  return text;
}

function row(r: Random, title: string): string {
  return `${r.int(1, 999999)},${r.pick(WORDS)}-${r.int(10, 99)},${title},${r.int(1, 500)},${r.int(1, 900)}.${two(r.int(0, 99))},2025-${two(r.int(1, 12))}-${two(r.int(1, 28))},W${r.int(1, 9)},${hex(r)}`;
}

function stamp(r: Random): string {
  return `2025-${two(r.int(1, 12))}-${two(r.int(1, 28))}T${two(r.int(0, 23))}:${two(r.int(0, 59))}:${two(r.int(0, 59))}.${r.int(100, 999)}Z`;
}

function camel(r: Random): string {
  return r.pick(WORDS) + capital(r.pick(WORDS));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hex(r: Random): string {
  return Math.floor(r.next() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

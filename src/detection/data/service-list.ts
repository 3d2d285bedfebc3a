import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of services.txt: a service whose keys are recognised by its name in the name of the assignment. */
export interface Service {
  readonly name: string;
  readonly labels: readonly ServiceLabel[];
  /** The documented forms of its keys, such as `hex32`; empty if there is none. */
  readonly forms: readonly string[];
}

export interface ServiceLabel {
  readonly text: string;
  /** Also a word of everyday names (`user`, `box`), so more of the name is required. */
  readonly ordinary: boolean;
}

export interface NamedService {
  readonly service: Service;
  readonly ordinary: boolean;
}

const ROW = /^([^|]+?)(?: \| ?([^|]*?))?(?: \| (.+))?$/;

let list: readonly Service[] | null = null;
let index: ReadonlyMap<string, NamedService> | null = null;
let lengths: readonly (readonly number[])[] | null = null;

/** Read on first use: most texts assign nothing that looks like a key. */
export function services(): readonly Service[] {
  list ??= readFileSync(join(import.meta.dirname, 'services.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseRow);
  return list;
}

/** The service with exactly this label. */
export function serviceByLabel(label: string): NamedService | undefined {
  return labelIndex().get(label);
}

const NONE: readonly number[] = [];

/** The lengths of the labels that begin with these two characters, longest first: most words of names begin no label. */
export function labelLengths(text: string, at: number): readonly number[] {
  lengths ??= lengthsByStart();
  return lengths[startCell(text, at)] ?? NONE;
}

function lengthsByStart(): (readonly number[])[] {
  const byStart: number[][] = [];
  for (const label of labelIndex().keys()) {
    const cell = startCell(label, 0);
    byStart[cell] = [...new Set([...(byStart[cell] ?? []), label.length])].sort((a, b) => b - a);
  }
  return byStart;
}

/** An index of two letters or digits, of which some collide. */
function startCell(text: string, at: number): number {
  return ((text.charCodeAt(at) & 63) << 6) | (text.charCodeAt(at + 1) & 63);
}

function labelIndex(): ReadonlyMap<string, NamedService> {
  index ??= new Map(
    services().flatMap((service) =>
      service.labels.map(({ text, ordinary }) => [text, { service, ordinary }] as const),
    ),
  );
  return index;
}

function parseRow(line: string): Service {
  const [, name, labels = '', forms = ''] = ROW.exec(line)!;
  return {
    name: name!,
    labels: (labels === '' ? [labelOf(name!)] : labels.split(', ')).map((label) => ({
      text: label.replace('!', ''),
      ordinary: label.endsWith('!'),
    })),
    forms: forms === '' ? [] : forms.split(', '),
  };
}

function labelOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Detector, STRENGTHS } from './detector.ts';

const FOLDER = join(import.meta.dirname, 'detectors');

/**
 * All built-in detectors: each file in the folders of `detectors` exports one. Sorted by strength, specific before general, then by id;
 * the index is the rank used to resolve overlaps.
 */
export const catalogue: readonly Detector[] = (await Promise.all(filesOf(FOLDER).map(load))).sort(
  (a, b) =>
    STRENGTHS.indexOf(a.standing) - STRENGTHS.indexOf(b.standing) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
);

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

async function load(file: string): Promise<Detector> {
  const detectors = Object.values((await import(pathToFileURL(file).href)) as Record<string, Detector>);
  if (detectors.length !== 1) throw new RangeError(`${file} must export one detector, and nothing else`);
  return detectors[0]!;
}

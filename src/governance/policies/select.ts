import type { Category, Regulation } from '../../detection/detector.ts';
import { type DetectorInfo, findPack, inPack } from '../packs/packs.ts';

/** The detectors that a name in a policy selects: an id, category:NAME, regulation:NAME or pack:NAME. */
export function selectorOf(name: string): (detector: DetectorInfo) => boolean {
  const [kind, value] = split(name);
  if (kind === 'category') return ({ category }) => category === value;
  if (kind === 'regulation') return ({ regulations }) => regulations.includes(value as Regulation);
  if (kind === 'pack') {
    const pack = findPack(value);
    return (detector) => pack !== null && inPack(pack, detector);
  }
  return ({ id }) => id === name;
}

/** The valid names for `selectorOf`. */
export function knownSelectors(catalogue: readonly DetectorInfo[], packs: readonly string[]): string[] {
  const categories = new Set<Category>(catalogue.map(({ category }) => category));
  const regulations = new Set<Regulation>(catalogue.flatMap((detector) => detector.regulations));
  return [
    ...catalogue.map(({ id }) => id),
    ...[...categories].sort().map((category) => `category:${category}`),
    ...[...regulations].sort().map((regulation) => `regulation:${regulation}`),
    ...packs.map((pack) => `pack:${pack}`),
  ];
}

function split(name: string): [kind: string, value: string] {
  const colon = name.indexOf(':');
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

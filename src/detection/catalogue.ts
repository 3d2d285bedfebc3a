import { type Detector, STRENGTHS } from './detector.ts';
import * as files from './detectors/all.ts';

const tables: readonly (Detector | readonly Detector[])[] = Object.values(files);

/**
 * All built-in detectors, sorted by strength, specific before general, then by id; the index is the rank used to resolve overlaps. The
 * order of files and rows has no meaning.
 */
export const catalogue: readonly Detector[] = tables
  .flat()
  .sort(
    (a, b) =>
      STRENGTHS.indexOf(a.strength) - STRENGTHS.indexOf(b.strength) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );

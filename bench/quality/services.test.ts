import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { services } from '../../src/detection/data/service-list.ts';

it('services.json says SERVICE_KEY of exactly those services that the detector lists', () => {
  const rows: readonly { readonly name: string; readonly detectors: readonly string[] }[] = JSON.parse(
    readFileSync(join(import.meta.dirname, 'services.json'), 'utf8'),
  );
  const named = rows.filter(({ detectors }) => detectors.includes('SERVICE_KEY'));
  const names = named.map(({ name }) => name.replace(/ \(.*\)$/, ''));
  expect(new Set(names)).toEqual(new Set(services().map(({ name }) => name)));
});

/** Two versions of a workflow's code run together under kills: older code processes nothing that it does not know. */
import { expect, it } from 'vitest';
import { mixVersions } from '../support/workflows/mixed-versions.ts';

const FOR_MS = 20_000;

it.each([
  ['slots', [null, null]],
  ['static partitions', ['0/2', '1/2']],
] as const)('in %s, runners and clients of versions 1 and 2', async (_, partitions) => {
  const mixed = await mixVersions({ forMs: FOR_MS, partitions });
  expect(mixed.faults).toEqual([]);
  // What was to be shown did happen.
  expect(mixed.kills).toBeGreaterThan(5);
  expect(mixed.refused).toBeGreaterThan(0);
  expect(mixed.waited).toBeGreaterThan(0);
  expect(Object.keys(mixed.actionsBy)).toEqual(['version 1', 'version 2']);
});

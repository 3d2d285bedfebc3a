/** Buckets with folders, as programs create them. */
import type { Group } from '../bucket.ts';
import { counter, DIGITS_AND_LETTERS, digits, LETTERS, scattered, uuids, words } from '../naming.ts';
import { drawBelow } from '../random.ts';
import { distribute, type Folder, uneven } from './weighted.ts';

/** logs/2024/03/14/host-07/000041.gz: grows day by day, with more hosts; two years are missing. */
export function dates(count: number, seed: number): Group[] {
  const days = [2018, 2019, 2022, 2023, 2024].flatMap((year) =>
    Array.from(
      { length: 360 },
      (_, d) => `${year}/${digits(Math.floor(d / 30) + 1, 2)}/${digits((d % 30) + 1, 2)}`,
    ),
  );
  const folders = days.flatMap((date, day) => {
    const hosts = 4 + Math.floor(day / 60);
    return Array.from({ length: hosts }, (_, host): Folder => {
      const weight = (Math.exp((day / days.length) * 4.6) / hosts) * uneven(seed, day * 100 + host, 0.5);
      return {
        prefix: `logs/${date}/host-${digits(host, 2)}/`,
        weight: weight * uneven(seed + 1, day, 0.3),
        names: (n) => counter(n, 6, '.gz'),
      };
    });
  });
  return distribute(folders, count);
}

/** country=DE/dt=2024-03-14/part-00041.parquet: a few countries contain nearly everything. */
export function hive(count: number, seed: number): Group[] {
  const countries = words(seed, 180, 2, 2, LETTERS.toUpperCase());
  const folders = countries.flatMap((country, rank) =>
    Array.from({ length: 720 }, (_, day): Folder => {
      const date = `${2023 + Math.floor(day / 360)}-${digits((Math.floor(day / 30) % 12) + 1, 2)}-${digits((day % 30) + 1, 2)}`;
      return {
        prefix: `country=${country}/dt=${date}/part-`,
        weight: uneven(seed, rank * 1000 + day, 0.4) / (rank + 1) ** 1.1,
        names: (n) => counter(n, 5, '.parquet'),
      };
    }),
  );
  return distribute(folders, count);
}

/** 95 % of the objects are in one deep folder among two thousand small ones. */
export function heavy(count: number, seed: number): Group[] {
  const deep: Folder = {
    prefix: 'warehouse/team-blue/project-17/raw/v2/data/',
    weight: 19 * 2000,
    names: (n) => scattered(seed, n, '0123456789abcdef', 12, '.bin'),
  };
  const small = words(seed, 2000, 3, 9)
    .filter((name) => name !== 'warehouse')
    .map((name, i): Folder => {
      return { prefix: `${name}/`, weight: 2 * uneven(seed, i, 0.3), names: (n) => counter(n, 5) };
    });
  return distribute([deep, ...small], count);
}

/** tenants/NAME/UUID: a dozen tenants, the first with a third of everything. */
export function tenants(count: number, seed: number): Group[] {
  const names = 'acme umbrella initech hooli stark wayne tyrell cyberdyne globex soylent wonka oscorp'.split(
    ' ',
  );
  const folders = names.map((name, rank): Folder => {
    const weight = uneven(seed, rank, 0.3) / (rank + 1) ** 1.2;
    return { prefix: `tenants/${name}/`, weight, names: (n, i) => uuids(seed * 100 + i, n) };
  });
  return distribute(folders, count);
}

/** A thousand folders at random paths and depths, each with the same number of objects, counted from zero. */
export function clusters(count: number, seed: number): Group[] {
  const names = words(seed, 8000, 2, 9, DIGITS_AND_LETTERS);
  let used = 0;
  const folders = Array.from({ length: 1000 }, (_, i): Folder => {
    const depth = 2 + drawBelow(5, seed, i, 3);
    const path = names.slice(used, used + depth);
    used += depth;
    return { prefix: `${path.join('/')}/`, weight: uneven(seed, i, 0.3), names: (n) => counter(n, 5) };
  });
  return distribute(folders, count);
}

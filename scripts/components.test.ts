/** The lock files of the optional components: exactly the packages of the main one, which all tests run with. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPONENT_NAMES } from '../src/base/components/component.ts';

interface Package {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
}

const root = dirname(import.meta.dirname);
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const packagesOf = (path: string): [string, Package][] =>
  Object.entries<Package>(read(path).packages).filter(([place]) => place !== '');
const main = read('package.json');

describe('optional components', () => {
  it('are the folders of components', () => {
    expect(readdirSync(join(root, 'components')).sort()).toEqual([...COMPONENT_NAMES].sort());
  });

  it.each(COMPONENT_NAMES)(
    '%s has the versions of the main package.json, where it is for development only',
    (name) => {
      const { dependencies } = read(`components/${name}/package.json`);
      expect(main.devDependencies).toMatchObject(dependencies);
      for (const one of Object.keys(dependencies)) expect(main.dependencies).not.toHaveProperty(one);
    },
  );

  it.each(COMPONENT_NAMES)(
    '%s locks versions and checksums of the main lock file (scripts/lock-components.mjs)',
    (name) => {
      const known = new Set(packagesOf('package-lock.json').map(identityOf));
      const locked = packagesOf(`components/${name}/package-lock.json`);
      expect(locked.length).toBeGreaterThan(0);
      expect(locked.filter((one) => !known.has(identityOf(one)))).toEqual([]);
      expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
    },
  );
});

/** The same package may be at another place in another tree. */
function identityOf([place, { version, integrity }]: [string, Package]): string {
  return `${place.split('node_modules/').at(-1)} ${version} ${integrity}`;
}

/**
 * Optional components: packages that only some scans need, so that the first installation stays small. The folder `components/NAME` has a
 * package.json, a lock file with the versions and checksums of the main one, and `load.ts`, which is imported once the component is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Component {
  readonly purpose: string;
  /** On disk. */
  readonly megabytes: number;
}

export const COMPONENTS = {
  ocr: { purpose: 'OCR with English language data', megabytes: 64 },
  azure: { purpose: 'Azure credentials of the machine (managed identity, Azure CLI)', megabytes: 47 },
  gcs: { purpose: 'Google Cloud credentials', megabytes: 19 },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof COMPONENTS;

export const COMPONENT_NAMES = Object.keys(COMPONENTS) as ComponentName[];

export function isComponentName(name: string): name is ComponentName {
  return Object.hasOwn(COMPONENTS, name);
}

/** The folder that contains src, components and node_modules. */
export const INSTALLATION = dirname(dirname(dirname(import.meta.dirname)));

/** In node_modules of a component: a copy of the lock file that it was installed from. */
export const STAMP = '.seine-lock';

export function componentFolder(installation: string, name: ComponentName): string {
  return join(installation, 'components', name);
}

/** With the versions of the lock file, in its own folder or, in a development installation, with all other packages. */
export function isInstalled(name: ComponentName, installation = INSTALLATION): boolean {
  const folder = componentFolder(installation, name);
  const modules = join(folder, 'node_modules'); // these are found first, so they must not be of another version
  if (existsSync(modules))
    return textOf(join(folder, 'package-lock.json')) === (textOf(join(modules, STAMP)) ?? '');
  const wanted = Object.entries(readPackage(folder).dependencies ?? {});
  const isThere = ([name, version]: [string, string]) =>
    readPackage(join(installation, 'node_modules', name)).version === version;
  return wanted.length > 0 && wanted.every(isThere);
}

interface Package {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readPackage(folder: string): Package {
  return JSON.parse(textOf(join(folder, 'package.json')) ?? '{}');
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

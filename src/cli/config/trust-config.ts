/** `seine config trust` and `untrust`. */
import { resolve } from 'node:path';
import { SeineError } from '../../base/errors.ts';
import { DECLARATION } from '../../config/declaration/declaration.ts';
import { FILE_NAME, readConfigFile } from '../../config/file/find-file.ts';
import { readTrusted, trust, untrust } from '../../config/file/trust-store.ts';
import { untrustedSettings } from '../../config/file/untrusted-settings.ts';
import { parseYaml } from '../../config/file/yaml-tree.ts';
import { formatOrigin } from '../../config/problem.ts';
import { visible } from '../output/visible.ts';

export function trustConfig(given = FILE_NAME, env = process.env): void {
  const file = readConfigFile(given, given);
  const { tree, problems } = parseYaml(file.text);
  if (problems.length > 0)
    throw new SeineError('usage', `The configuration file ${given} is not valid YAML and was not trusted.`, {
      hint: `Check it with: seine config check ${given}`,
    });
  const { path, sha256 } = trust(file, env);
  const allowed = untrustedSettings(DECLARATION, tree).map(
    ({ origin, setting }) => `  ${visible(`${formatOrigin(origin, given)}: ${setting}`)}\n`,
  );
  process.stdout.write(`Trusted: ${visible(path)} (SHA-256 ${sha256.slice(0, 16)}…)\n${allowed.join('')}`);
  process.stderr.write('Trust it again after every change. Files it refers to are not checked.\n');
}

export function untrustConfig(given = FILE_NAME, env = process.env): void {
  if (untrust(given, env)) process.stdout.write(`No longer trusted: ${visible(resolve(given))}\n`);
  else
    throw new SeineError('not-found', `The configuration file ${resolve(given)} was not trusted.`, {
      hint: 'List trusted files: seine config trust --list',
    });
}

export function listTrusted(json: boolean, env = process.env): void {
  const files = readTrusted(env);
  if (json) return void process.stdout.write(`${JSON.stringify(files, null, 2)}\n`);
  for (const { path, sha256 } of files) process.stdout.write(`${sha256.slice(0, 16)}  ${visible(path)}\n`);
  if (files.length === 0) process.stderr.write('No trusted configuration files.\n');
}

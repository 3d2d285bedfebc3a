/** What npm said, as one sentence with the next step. */
import { SeineError } from '../errors.ts';
import type { ComponentName } from './component.ts';

const CAUSES: readonly (readonly [RegExp, string, (command: string) => string])[] = [
  [
    /spawn npm ENOENT|npm: not found/,
    'npm is missing',
    (command) => `Install Node.js with npm, then run: ${command}`,
  ],
  [/ENOSPC/, 'the disk is full', (command) => `Free some space, then run: ${command}`],
  [
    /EROFS|EACCES|EPERM/,
    "its folder or npm's cache cannot be written",
    (command) => `Run once as the owner of the installation: ${command}`,
  ],
  [
    /EINTEGRITY/,
    'a downloaded package differs from the committed checksum',
    () => 'Check the registry or proxy that npm uses ("npm config get registry").',
  ],
  [
    /CERT|certificate/,
    'a certificate is not trusted',
    (command) => `Set NODE_EXTRA_CA_CERTS to the one of your proxy, then run: ${command}`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/,
    'the package registry cannot be reached',
    (command) =>
      `Where there is no network, install it beforehand: ${command} on a machine with network, then copy the installation folder.`,
  ],
];

export function explainFailure(name: ComponentName, output: string): SeineError {
  const command = seineInstall(name);
  for (const [pattern, why, hint] of CAUSES) {
    if (pattern.test(output))
      return new SeineError('unavailable', `${name} could not be installed: ${why}.`, {
        hint: hint(command),
        cause: output,
      });
  }
  const last = output.split('\n').filter((line) => line.trim() !== '' && !/complete log/.test(line));
  return new SeineError('unavailable', `${name} could not be installed. npm: ${last.slice(-3).join(' ')}`, {
    hint: `Try again: ${command}`,
    cause: output,
  });
}

/** The command to run, as the user calls Seine. */
export function seineInstall(name: string): string {
  return `${process.env.SEINE_CALLED ?? 'seine'} install ${name}`;
}

/**
 * The command that starts a reader process under a supervisor. The supervisor is a shell: it sets the limits, starts Node, and waits for
 * the end of its input, which the thread holds open. It first writes the process id of the reader to its output. When the thread closes
 * the input, or the main process dies in any way (SIGKILL included), the shell kills the reader, even one in an endless loop.
 */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Of the ceiling, the share that the heap of JavaScript may take; the rest is for bytes outside of it. */
const HEAP_SHARE = 0.6;
/** Megabytes that Node maps before it does anything and RLIMIT_DATA counts; little of it is ever used. */
const AT_START = 640;

const ROOT = join(import.meta.dirname, '../../..');

/** Words: megabytes of data in KiB, CPU seconds, then the command. Its descriptor 3 is the reader's alone, else its end would not be seen. */
const SUPERVISE = `trap '' HUP INT TERM
ulimit -d "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0 2>/dev/null; shift 2
"$@" 4<&- & reader=$!
exec 2>/dev/null 3>&-
echo $reader >&4
read -r _ <&4
kill -9 $reader; wait $reader; exit $?`;

export interface ProcessLimits {
  readonly megabytes: number;
  /** Of all its documents together: the last resort against a reader that nothing else ends. */
  readonly cpuSeconds: number;
}

export function startCommand(file: string, { megabytes, cpuSeconds }: ProcessLimits): readonly string[] {
  const limits = [String((megabytes + AT_START) * 1024), String(Math.ceil(cpuSeconds))];
  const node = [process.execPath, ...nodeFlags(megabytes), file];
  return ['/bin/sh', '-c', SUPERVISE, 'sh', ...limits, ...(hasNetworkNamespace() ? NAMESPACE : []), ...node];
}

/** Without --allow-worker, --allow-child-process, --allow-addons and --allow-fs-write: none of these. */
function nodeFlags(megabytes: number): string[] {
  const readable = ['src/', 'components/', 'node_modules/', 'package.json'].map((name) => join(ROOT, name));
  return [
    `--max-old-space-size=${Math.floor(megabytes * HEAP_SHARE)}`,
    '--permission',
    ...[...new Set(readable.flatMap(withTarget))].map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
  ];
}

/** Where node_modules is a link, its target must be readable. */
function withTarget(path: string): string[] {
  const real = realpathSync(path);
  return [path, path.endsWith('/') ? `${real}/` : real];
}

/** A user namespace, which drops root's privileges and permits the network namespace to other users. */
const NAMESPACE = ['unshare', '--user', '--net', '--'];
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
let permitted: boolean | null = null;

/** Whether reader processes get a network namespace: containers and some distributions forbid it, other systems have none. */
export function hasNetworkNamespace(): boolean {
  permitted ??= canUnshare();
  return permitted;
}

/** The installation must be readable there as well: root has lost the privilege to read everything. */
function canUnshare(): boolean {
  const [program, ...words] = NAMESPACE;
  const test = ['/bin/sh', '-c', 'test -x "$0" && test -r "$1"', process.execPath, import.meta.filename];
  try {
    execFileSync(program!, [...words, ...test], { env: ENVIRONMENT, stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

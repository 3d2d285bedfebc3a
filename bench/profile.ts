/**
 * Where the time goes: one run under Node's own profiler, each thread's samples added up by the folder whose code ran.
 * What Node does itself (reading files, sockets, crypto) counts for the nearest caller of ours, beside its own line.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './figures.ts';
import { ROOT } from './seine.ts';

const MAX_NAME_LENGTH = 60;

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface ThreadProfile {
  readonly thread: string;
  /** Seconds by folder, most first. */
  readonly folders: ReadonlyMap<string, number>;
  /** Self time in seconds by function, most first. */
  readonly functions: ReadonlyMap<string, number>;
}

/** Options for Node that make it write profiles into an empty folder. */
export function profiling(folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

export function readProfiles(folder: string): ThreadProfile[] {
  const profiles = readdirSync(folder).sort();
  const named = new Map<string, number>();
  return profiles.map((name) => {
    const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile;
    const kind = threadOf(profile);
    const number = (named.get(kind) ?? 0) + 1;
    named.set(kind, number);
    return { thread: kind === 'main' ? kind : `${kind} ${number}`, ...addUp(profile) };
  });
}

export function folderTable(profiles: readonly ThreadProfile[]): string {
  const total = new Map<string, number>();
  for (const { folders } of profiles) for (const [name, time] of folders) add(total, name, time);
  const rows = [...sorted(total).keys()]
    .filter((name) => total.get(name)! >= 0.01)
    .map((name) => [name, ...profiles.map(({ folders }) => folders.get(name)?.toFixed(2) ?? '·')]);
  return table([['seconds', ...profiles.map(({ thread }) => thread)], ...rows]);
}

export function functionTable(profile: ThreadProfile, max: number): string {
  const all = [...profile.functions.values()].reduce((sum, time) => sum + time, 0);
  const top = [...profile.functions].filter(([name]) => name !== '(idle)').slice(0, max);
  const rows = top.map(([name, time]) => [name, time.toFixed(3), `${((100 * time) / all).toFixed(1)} %`]);
  return table([[`${profile.thread}: self time`, 'seconds', 'of all'], ...rows]);
}

function addUp(profile: CpuProfile): Omit<ThreadProfile, 'thread'> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((id) => [id, node.id])));
  const owners = new Map<number, string>();
  const ownerOf = (id: number): string => {
    const known = owners.get(id);
    if (known !== undefined) return known;
    const { callFrame } = nodes.get(id)!;
    const parent = parents.get(id);
    const owner = folderOf(callFrame) ?? (parent === undefined ? 'node itself' : ownerOf(parent));
    owners.set(id, owner);
    return owner;
  };
  const folders = new Map<string, number>();
  const functions = new Map<string, number>();
  for (const [n, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[n]! / 1e6;
    add(folders, ownerOf(id), time);
    add(functions, functionOf(nodes.get(id)!.callFrame), time);
  }
  return { folders: sorted(folders), functions: sorted(functions) };
}

type Frame = CpuProfile['nodes'][number]['callFrame'];

/** Null: Node's own, so it is the caller's time. */
function folderOf({ functionName, url }: Frame): string | null {
  if (/^\((idle|garbage collector)\)$/.test(functionName)) return functionName;
  if (/^node:internal\/(modules|process|bootstrap|main)/.test(url)) return 'loading modules';
  const path = url.replace(/^file:\/\//, '');
  if (!path.startsWith(ROOT)) return null;
  const parts = path.slice(ROOT.length + 1).split('/');
  if (parts[0] === 'node_modules') return parts[1]!;
  return parts.slice(0, Math.min(3, parts.length - 1)).join('/');
}

function functionOf({ functionName, url, lineNumber }: Frame): string {
  const file = url.replace(/^file:\/\//, '').replace(`${ROOT}/`, '');
  const name = functionName || '(anonymous)';
  // An expression is its own name, and can be long.
  return file === '' ? name.slice(0, MAX_NAME_LENGTH) : `${name}  ${file}:${lineNumber + 1}`;
}

function threadOf(profile: CpuProfile): string {
  const ran = (file: string) => profile.nodes.some((node) => node.callFrame.url.endsWith(file));
  if (ran('src/main.ts')) return 'main';
  if (ran('detect/thread.ts')) return 'detection';
  return ran('scans/monitor/background-count.ts') ? 'survey' : 'thread';
}

function add(to: Map<string, number>, name: string, time: number): void {
  to.set(name, (to.get(name) ?? 0) + time);
}

function sorted(map: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...map].sort((a, b) => b[1] - a[1]));
}

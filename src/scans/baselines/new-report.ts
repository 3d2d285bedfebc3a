/**
 * The report of a scan compared with a baseline. Objects are scored by their new findings, so tiers, types,
 * policies and the exit code are those of the new findings; known ones are only counted.
 */
import { displayKey, type Key } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import type { TypeCount } from '../../governance/score.ts';
import { TIERS, type Tier } from '../../governance/tier.ts';
import type { Comparison } from '../comparing/compare.ts';
import type { Difference } from '../comparing/difference.ts';
import { totalsOf } from '../comparing/totals.ts';
import { type ScoringRules, scoreTypes, scoringRulesFor } from '../detect/score-types.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { FolderRisk, ObjectRisk, Report, TypeRisk } from '../results/report.ts';
import { sizesOf } from './new-finding-store.ts';
import { NewPolicyHits } from './new-policies.ts';

const WORST = 10;
const SAMPLES = 3;

interface ScoredObject extends ObjectRisk {
  readonly points: number;
}

interface Gathered {
  readonly tiers: Record<Tier, number>;
  objects: ScoredObject[];
  readonly folders: Map<string, FolderRisk & { readonly points: number }>;
  readonly types: Map<string, TypeRisk>;
  readonly policies: NewPolicyHits;
}

export async function newReport(
  whole: Report,
  scan: ScanRow,
  name: string,
  { summary, differences }: Comparison,
  tx: Tx,
): Promise<Report> {
  const measures = scoringRulesFor(scan.ruleSet);
  const gathered: Gathered = {
    tiers: Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<Tier, number>,
    objects: [],
    folders: new Map(),
    types: new Map(),
    policies: new NewPolicyHits(),
  };
  for await (const found of byObject(differences())) addObject(gathered, found, measures, whole);
  const totals = totalsOf(summary);
  const { gone, moved, unchanged } = totals;
  return {
    ...whole,
    tiers: gathered.tiers,
    objects: await withSizes(tx, scan, gathered.objects),
    folders: [...gathered.folders.values()]
      .sort((a, b) => b.points - a.points || (a.folder < b.folder ? -1 : 1))
      .slice(0, WORST)
      .map(({ points: _, ...folder }) => folder),
    types: whole.types.flatMap(({ detector }) => gathered.types.get(detector) ?? []),
    insides: [], // the worst of the whole object need not be new
    policies: gathered.policies.list(whole.policies),
    baseline: { name, new: totals.new, known: unchanged + moved, moved, gone },
  };
}

async function withSizes(tx: Tx, scan: ScanRow, objects: readonly ScoredObject[]): Promise<ObjectRisk[]> {
  const sizes = await sizesOf(
    tx,
    scan.id,
    objects.map(({ key }) => key),
  );
  return objects.map(({ points: _, ...object }) => ({ ...object, ...sizes.get(object.key) }));
}

/** Groups new findings by object: differences come in order of keys. */
async function* byObject(differences: AsyncIterable<Difference>): AsyncGenerator<[Key, Difference[]]> {
  let group: Difference[] = [];
  for await (const difference of differences) {
    if (difference.change !== 'new') continue;
    const last = group.at(-1)?.after?.key;
    if (last !== undefined && last !== difference.after!.key) {
      yield [last, group];
      group = [];
    }
    group.push(difference);
  }
  if (group.length > 0) yield [group[0]!.after!.key, group];
}

function addObject(
  gathered: Gathered,
  [key, found]: [Key, readonly Difference[]],
  measures: ScoringRules,
  whole: Report,
): void {
  const types = typesOf(found);
  const { score, points, tier, ...rest } = scoreTypes(types, measures);
  const object = { key, score: score!, points: points!, tier: tier!, size: 0, modified: null, ...rest };
  gathered.tiers[object.tier]++;
  gathered.objects = [...gathered.objects, object]
    .sort((a, b) => b.points - a.points || (a.key < b.key ? -1 : 1))
    .slice(0, WORST);
  gathered.policies.add(object);
  addFolder(gathered, object, types);
  for (const type of types) addType(gathered, type, found, whole);
}

/** A difference of counts has no confidence of its own: it gets the highest one that was kept, or 1. */
function typesOf(found: readonly Difference[]): TypeCount[] {
  return [...Map.groupBy(found, ({ detector }) => detector)].map(([detector, of]) => ({
    detector,
    count: of.reduce((sum, { count }) => sum + count, 0),
    confidence: Math.max(...of.map(({ confidence }) => confidence ?? 1)),
  }));
}

function addFolder({ folders }: Gathered, object: ScoredObject, types: readonly TypeCount[]): void {
  const path = displayKey(object.key);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const findings = types.reduce((sum, { count }) => sum + count, 0);
  const before = folders.get(folder) ?? {
    folder,
    objects: 0,
    findings: 0,
    worst: -1,
    tier: object.tier,
    points: 0,
  };
  const worse = object.score > before.worst;
  folders.set(folder, {
    folder,
    objects: before.objects + 1,
    findings: before.findings + findings,
    worst: worse ? object.score : before.worst,
    tier: worse ? object.tier : before.tier,
    points: before.points + object.points,
  });
}

function addType({ types }: Gathered, type: TypeCount, found: readonly Difference[], whole: Report): void {
  const { detector, count } = type;
  const category = whole.types.find((one) => one.detector === detector)?.category ?? '';
  const before = types.get(detector) ?? { detector, category, objects: 0, findings: 0, samples: [] };
  const sample = found.find((one) => one.detector === detector && one.masked !== null);
  const samples =
    sample && before.samples.length < SAMPLES ? [...before.samples, sampleOf(sample)] : before.samples;
  types.set(detector, { ...before, objects: before.objects + 1, findings: before.findings + count, samples });
}

function sampleOf({ masked, after }: Difference): TypeRisk['samples'][number] {
  const { key, part, line } = after!;
  return { masked: masked!, key, part, line: line ?? 0 };
}

/**
 * Services whose keys the public secret scanners name (services.json: names, facts about formats, and our detectors),
 * and how many of them a detector of ours names: one of its own, or SERVICE_KEY by the service's name next to the key. Keys of the others may
 * still be found, by a label, as an API_KEY.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../benchmark.ts';
import { table } from '../figures.ts';
import { Seine } from '../seine.ts';

interface Service {
  readonly name: string;
  readonly namedBy: readonly string[];
  readonly detectors: readonly string[];
  /** Prefix, length and alphabet of its keys, where all of them have one. */
  readonly format?: string;
}

const SCANNERS = ['gitleaks', 'trufflehog', 'kingfisher', 'detect-secrets'];
const GOAL = 0.95;
/** The detector of keys that are found by the service's name. */
const BY_NAME = 'SERVICE_KEY';

export async function measureServices(bench: Bench): Promise<void> {
  const services: readonly Service[] = JSON.parse(
    readFileSync(join(import.meta.dirname, 'services.json'), 'utf8'),
  );
  const known = await detectorIds(bench);
  const unknown = services.flatMap(({ detectors }) => detectors).filter((id) => !known.has(id));
  bench.check(unknown.length === 0, `detectors of services.json exist (${unknown.join(', ') || 'all'})`);
  const counts = SCANNERS.map((_, index) => SCANNERS.length - index);
  const rows = [
    coverageRow('all', services),
    ...counts.map((many) =>
      coverageRow(
        `named by ${many}`,
        services.filter(({ namedBy }) => namedBy.length === many),
      ),
    ),
    ...SCANNERS.map((scanner) =>
      coverageRow(
        `of ${scanner}`,
        services.filter(({ namedBy }) => namedBy.includes(scanner)),
      ),
    ),
  ];
  bench.log(`\n  services that four scanners name, covered by a detector; asked for ${GOAL}`);
  bench.log(table([['', 'services', 'covered', 'share', 'of their own'], ...rows]));
  for (const many of counts) printUncovered(bench, services, many);
}

async function detectorIds(bench: Bench): Promise<ReadonlySet<string>> {
  const { stdout } = await new Seine(bench, 'services').run(['detectors', '--json']);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return new Set(lines.map((line) => JSON.parse(line).id));
}

function coverageRow(what: string, services: readonly Service[]): string[] {
  const covered = services.filter(({ detectors }) => detectors.length > 0).length;
  const share = services.length === 0 ? '–' : (covered / services.length).toFixed(3);
  const own = services.filter(({ detectors }) => detectors.some((id) => id !== BY_NAME)).length;
  return [what, String(services.length), String(covered), share, String(own)];
}

/** Those with a known format first: their keys can be found without a label. */
function printUncovered(bench: Bench, services: readonly Service[], many: number): void {
  const missing = services.filter(
    ({ namedBy, detectors }) => namedBy.length === many && detectors.length === 0,
  );
  if (missing.length === 0) return;
  const formatted = missing.filter(({ format }) => format !== undefined);
  const others = missing.filter(({ format }) => format === undefined);
  bench.log(
    `\n  not covered, named by ${many} (${missing.length}), with a known format (${formatted.length})`,
  );
  for (const { name, format } of formatted) bench.log(`    ${name.padEnd(24)}${format}`);
  if (many > 1 || bench.extras) bench.log(`  without one: ${others.map(({ name }) => name).join(', ')}`);
}

/**
 * SARIF 2.1.0, streamed: results come first, because the rules seen and the number of results left out are only known at the
 * end. The order of the properties of a JSON object is free.
 */
import type { Writable } from 'node:stream';
import type { Finding } from '../../../scans/results/finding.ts';
import type { Report } from '../../../scans/results/report.ts';
import { totalFindings } from '../coverage.ts';
import { writeChunks } from '../write-chunks.ts';
import { invocationOf } from './invocation.ts';
import { resultOf, SOURCE_BASE } from './result.ts';
import { RuleIndex } from './rules.ts';
import { baseUri } from './uri.ts';

/** Code scanning services reject a run with more results. */
export const MAX_RESULTS = 25_000;

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export async function writeSarif(
  report: Report,
  findings: AsyncIterable<Finding>,
  out: Writable,
  maxResults = MAX_RESULTS,
): Promise<void> {
  await writeChunks(sarif(report, findings, maxResults), out);
}

async function* sarif(
  report: Report,
  findings: AsyncIterable<Finding>,
  maxResults: number,
): AsyncGenerator<string> {
  yield `{"$schema":${JSON.stringify(SCHEMA)},"version":"2.1.0","runs":[{"results":[`;
  const rules = new RuleIndex(report.types);
  let results = 0;
  let leftOut = 0;
  for await (const finding of findings) {
    if (results === maxResults) {
      leftOut += 1;
      continue;
    }
    const result = resultOf(finding, rules.indexOf(finding.detector, finding.category));
    yield `${results === 0 ? '\n' : ',\n'}${JSON.stringify(result)}`;
    results += 1;
  }
  yield `\n],${JSON.stringify(aboutRun(report, rules, leftOut)).slice(1, -1)}}]}\n`;
}

function aboutRun(report: Report, rules: RuleIndex, leftOut: number): Record<string, unknown> {
  const uri = baseUri(report.scan.source);
  return {
    tool: { driver: { name: 'Seine', rules: rules.descriptors() } },
    automationDetails: { id: `seine/${encodeURIComponent(report.scan.source)}/${report.scan.id}` },
    invocations: [invocationOf(report, leftOut)],
    originalUriBaseIds: {
      [SOURCE_BASE]: {
        ...(uri === null ? {} : { uri }),
        description: { text: `The source of the scan: ${report.scan.source}` },
      },
    },
    properties: {
      scan: report.scan.id,
      status: report.scan.status,
      rules: report.scan.rules,
      /** Exact, while the findings kept and listed for each object and type are limited. */
      findingsCounted: totalFindings(report),
      resultsLeftOut: leftOut,
      /** Policies match objects, not results; `because` counts the findings that made them match. */
      policies: report.policies.map(({ policy, title, objects, because }) => ({
        policy,
        title,
        objects,
        because,
      })),
      /** SARIF defines columns in characters only; ours are bytes, so they agree where the line is ASCII. */
      columnUnit: 'byte',
    },
  };
}

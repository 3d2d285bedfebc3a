/**
 * SARIF 2.1.0, written as the findings come: results first, because what is said about them (rules seen, results left
 * out) is only known at the end and the order of an object's properties is free.
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

/** Code scanning services refuse a run with more. */
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
      /** Exact, while of each object and type only so many findings are kept and listed. */
      findingsCounted: totalFindings(report),
      resultsLeftOut: leftOut,
      /** Of a whole object, not of a result: what spoke for it is `because`. */
      policies: report.policies.map(({ policy, title, objects, because }) => ({
        policy,
        title,
        objects,
        because,
      })),
      /** SARIF knows columns in characters only; ours are exact where the line is ASCII. */
      columnUnit: 'byte',
    },
  };
}

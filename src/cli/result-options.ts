/** What a finished scan is shown as, and when it counts as a failure: the same for `scan` and `resume`. */
import { type Command, Option } from 'commander';
import { SeineError } from '../base/errors.ts';
import { atLeast, isTier, TIERS, type Tier } from '../governance/tier.ts';
import type { Report } from '../scans/report.ts';
import { collect } from './options.ts';
import { formatOf, OUTPUT_FORMATS, type OutputFormat } from './output/formats.ts';
import { checkOutputFile } from './output/output-file.ts';

export interface OutputFlags {
  readonly output?: string[];
  readonly format?: string;
  readonly quiet?: boolean;
}

export interface ResultFlags extends OutputFlags {
  readonly failOn?: string[];
  readonly threads?: string;
}

export function withOutputOptions(command: Command): Command {
  return command
    .option(
      '-o, --output <file>',
      'write the result to a file (.jsonl .sarif .csv .html .json .txt, or -); may be repeated',
      collect,
    )
    .addOption(
      new Option('--format <format>', 'format of the outputs, when their names don’t tell').choices(
        OUTPUT_FORMATS,
      ),
    )
    .option('-q, --quiet', 'no progress and no report; outputs and --json are still written');
}

export function withResultOptions(command: Command): Command {
  return withOutputOptions(command)
    .option(
      '--fail-on <tier-or-type>',
      'exit with 3 when there is such a finding: a tier (HIGH means HIGH and above) or a type (SSN); may be repeated',
      collect,
    )
    .option('--threads <number>', 'detection threads (default: one for each core)')
    .addHelpText(
      'after',
      `
Exit codes: 0 done · 1 error, or the scan is not complete · 2 wrong usage · 3 findings as in --fail-on`,
    );
}

export interface OutputWish {
  readonly path: string;
  readonly format: OutputFormat;
}

/** Checked before the scan begins: a typing error must not cost an hour. */
export function outputsOf(flags: OutputFlags): OutputWish[] {
  if (flags.format !== undefined && (flags.output ?? []).length === 0) {
    throw new SeineError('usage', '--format says how to write an --output, but there is none.', {
      hint: `Add --output - to write ${flags.format} to standard output.`,
    });
  }
  const outputs = (flags.output ?? []).map((path) => ({ path, format: formatOf(path, flags.format) }));
  for (const { path } of outputs) checkOutputFile(path);
  return outputs;
}

export interface FailOn {
  readonly tiers: readonly Tier[];
  readonly types: readonly string[];
}

export function failOnOf(flags: ResultFlags, knownTypes: readonly string[]): FailOn {
  const words = (flags.failOn ?? [])
    .flatMap((text) => text.split(','))
    .map((word) => word.trim().toUpperCase());
  const tiers = words.filter(isTier);
  const types = words.filter((word) => !isTier(word));
  for (const type of types) {
    if (knownTypes.includes(type)) continue;
    throw new SeineError('usage', `--fail-on ${type} is neither a tier nor a type.`, {
      hint: `Tiers: ${TIERS.join(', ')}. Types: ${knownTypes.join(', ')}.`,
    });
  }
  return { tiers, types };
}

export function mustFail(report: Report, failOn: FailOn): boolean {
  const tierFound = TIERS.some(
    (tier) => report.tiers[tier] > 0 && failOn.tiers.some((floor) => atLeast(tier, floor)),
  );
  return tierFound || report.types.some((type) => failOn.types.includes(type.detector));
}

/** Output options and `--fail-on`, shared by `scan`, `resume` and `show`. */
import { type Command, Option } from 'commander';
import { SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { atLeast, isTier, TIERS, type Tier } from '../../governance/tier.ts';
import type { Report } from '../../scans/results/report.ts';
import { collect } from '../options.ts';
import { formatOf, OUTPUT_FORMATS, type OutputFormat } from '../output/formats.ts';
import { checkOutputFile } from '../output/output-file.ts';
import type { KnownNames } from '../rules/known-names.ts';

export interface OutputFlags {
  readonly output?: string[];
  readonly format?: string;
  readonly quiet?: boolean;
  readonly baseline?: string;
  readonly baselineFile?: string;
}

export interface ResultFlags extends OutputFlags {
  readonly failOn?: string[];
  readonly rules?: string;
  readonly threads?: string;
}

export function withOutputOptions(command: Command): Command {
  return command
    .option(
      '-o, --output <file>',
      'write the result to a file (.jsonl .sarif .csv .html .json .txt, or -); repeatable',
      collect,
    )
    .addOption(
      new Option('--format <format>', 'format of the outputs (default: by file extension)').choices(
        OUTPUT_FORMATS,
      ),
    )
    .option(
      '--baseline <name>',
      'report only findings that are new against this baseline; also for --fail-on',
    )
    .option('--baseline-file <file>', 'same as --baseline, with a file written by seine baseline export')
    .option('-q, --quiet', 'print no progress and no report; --output and --json still work');
}

export function withResultOptions(command: Command): Command {
  return withOutputOptions(command)
    .option(
      '--fail-on <what>',
      'exit with 3 if there is a finding of a tier (HIGH means HIGH and above), a type (SSN) or a policy (hipaa); repeatable',
      collect,
    )
    .option('--threads <number>', 'detection threads (default: number of cores)')
    .addHelpText(
      'after',
      `
Exit codes: 0 success · 1 error, or the scan is incomplete · 2 usage error · 3 findings as in --fail-on`,
    );
}

export interface OutputRequest {
  readonly path: string;
  readonly format: OutputFormat;
}

/** Validated before the scan starts, so that a mistyped path fails at once. */
export function outputsOf(flags: OutputFlags): OutputRequest[] {
  if (flags.baseline !== undefined && flags.baselineFile !== undefined)
    throw new SeineError('usage', 'Specify either --baseline or --baseline-file, not both.');
  if (flags.format !== undefined && (flags.output ?? []).length === 0) {
    throw new SeineError('usage', '--format requires --output.', {
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
  readonly policies: readonly string[];
}

/** `rulesOf` is only called if a name must be checked. */
export function failOnOf(flags: ResultFlags, rulesOf: () => KnownNames): FailOn {
  const words = (flags.failOn ?? [])
    .flatMap((text) => text.split(','))
    .map((word) => word.trim().toUpperCase());
  const tiers = words.filter(isTier);
  const names = words.filter((word) => !isTier(word));
  if (names.length === 0) return { tiers, types: [], policies: [] };
  const known = rulesOf();
  for (const name of names) {
    if (known.types.includes(name) || known.policies.includes(name.toLowerCase())) continue;
    const all = [...TIERS, ...known.types, ...known.policies];
    const message = `--fail-on ${name} is neither a tier (${TIERS.join(', ')}) nor a type nor a policy.`;
    const others = `Policies: ${known.policies.join(', ')}. List the types: seine detectors`;
    throw new SeineError('usage', message, { hint: didYouMean(name, all, others) });
  }
  const policies = names.map((name) => name.toLowerCase()).filter((name) => known.policies.includes(name));
  return { tiers, types: names.filter((name) => known.types.includes(name)), policies };
}

export function mustFail(
  report: Pick<Report, 'tiers'> & {
    readonly types: readonly { readonly detector: string }[];
    readonly policies: readonly { readonly policy: string }[];
  },
  failOn: FailOn,
): boolean {
  const tierFound = TIERS.some(
    (tier) => report.tiers[tier] > 0 && failOn.tiers.some((floor) => atLeast(tier, floor)),
  );
  return (
    tierFound ||
    report.types.some((type) => failOn.types.includes(type.detector)) ||
    report.policies.some(({ policy }) => failOn.policies.includes(policy))
  );
}

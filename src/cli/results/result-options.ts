/** What a finished scan is shown as, and when it counts as a failure: the same for `scan` and `resume`. */
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
      'write the result to a file (.jsonl .sarif .csv .html .json .txt, or -); may be repeated',
      collect,
    )
    .addOption(
      new Option('--format <format>', 'format of the outputs, when their names don’t tell').choices(
        OUTPUT_FORMATS,
      ),
    )
    .option('--baseline <name>', 'only what is new against this baseline; --fail-on is about that, too')
    .option('--baseline-file <file>', 'the same, with a file that seine baseline export wrote')
    .option('-q, --quiet', 'no progress and no report; outputs and --json are still written');
}

export function withResultOptions(command: Command): Command {
  return withOutputOptions(command)
    .option(
      '--fail-on <what>',
      'exit with 3 when there is such a finding: a tier (HIGH means HIGH and above), a type (SSN) or a policy (hipaa); may be repeated',
      collect,
    )
    .option('--threads <number>', 'detection threads (default: one for each core)')
    .addHelpText(
      'after',
      `
Exit codes: 0 done · 1 error, or the scan is not complete · 2 wrong usage · 3 findings as in --fail-on`,
    );
}

export interface OutputRequest {
  readonly path: string;
  readonly format: OutputFormat;
}

/** Checked before the scan begins: a typing error must not cost an hour. */
export function outputsOf(flags: OutputFlags): OutputRequest[] {
  if (flags.baseline !== undefined && flags.baselineFile !== undefined)
    throw new SeineError('usage', '--baseline and --baseline-file are two ways to say it: give one.');
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
  readonly policies: readonly string[];
}

/** `resolvePolicy` is asked only if there is something to look up. */
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
    const others = `Policies: ${known.policies.join(', ')}. The types: seine detectors`;
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

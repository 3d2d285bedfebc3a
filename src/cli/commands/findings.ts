import { Command } from 'commander';
import { SeineError } from '../../base/errors.ts';
import { parseWholeNumber } from '../../config.ts';
import { FILTER_FIELDS, FILTER_FUNCTIONS } from '../../filter/fields.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { OUTPUT_FORMATS } from '../output/formats.ts';

interface FindingsFlags extends CommonFlags {
  readonly where?: string;
  readonly policy?: string;
  readonly scan?: string;
  readonly limit?: string;
  readonly format?: string;
  readonly objects?: boolean;
}

export function findingsCommand(): Command {
  const command = new Command('findings')
    .description('list the findings of a scan')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)')
    .option(
      '-w, --where <filter>',
      'only matching findings, such as: has(SSN) and tier >= HIGH and path ~ "hr/"',
    )
    .option('--policy <name>', 'only findings that matched a policy, such as hipaa')
    .option('--objects', 'list objects instead of findings')
    .option('--limit <number>', 'maximum number listed')
    .option('--format <format>', 'jsonl or csv (default: a table)')
    .addHelpText('after', filterHelp());
  return withCommonOptions(command).action(async (id: string | undefined, flags: FindingsFlags) => {
    const { listFindings } = await import('../results/list-findings.ts');
    const format = flags.json ? 'jsonl' : flags.format;
    if (format !== undefined && format !== 'jsonl' && format !== 'csv') {
      const known = (OUTPUT_FORMATS as readonly string[]).includes(format);
      throw new SeineError('usage', `seine findings writes jsonl or csv, not ${format}.`, {
        hint: known
          ? `Write that format with: seine scan … --output report.${format}`
          : 'Pass --format jsonl or --format csv.',
      });
    }
    const limit = parseWholeNumber(
      '--limit',
      flags.limit,
      Number.MAX_SAFE_INTEGER,
      1,
      Number.MAX_SAFE_INTEGER,
    );
    await listFindings(id, { ...flags, format: format ?? 'table', limit });
  });
}

function filterHelp(): string {
  const fields = FILTER_FIELDS.map((field) => `  ${field.name.padEnd(18)}${field.about}`);
  const functions = FILTER_FUNCTIONS.map((fn) => `  ${fn.usage.padEnd(18)}${fn.about}`);
  return `
Filter: fields and functions joined by and, or, not and parentheses; = != > < >= <= ~ !~ contains.
${[...fields, ...functions].join('\n')}`;
}

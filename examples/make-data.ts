/**
 * Makes `examples/data`, a small company's share with planted values, and `planted.json` beside it.
 *
 *     node examples/make-data.ts [--seed N] [--out DIR]
 *
 * The same seed gives the same bytes and the same file dates.
 */
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addArchive } from './generator/archive.ts';
import { addCustomerCards } from './generator/customer-cards.ts';
import { addCustomerDocuments } from './generator/customer-documents.ts';
import { addCustomerMarkup } from './generator/customer-markup.ts';
import { addCustomers } from './generator/customers.ts';
import { addDataExports } from './generator/data-exports.ts';
import { addEngineeringCode } from './generator/engineering-code.ts';
import { addEngineeringConfig } from './generator/engineering-config.ts';
import { addEngineeringInfra } from './generator/engineering-infra.ts';
import { addEngineeringOperations } from './generator/engineering-operations.ts';
import { addExports } from './generator/exports.ts';
import { addFinance } from './generator/finance.ts';
import { addFinanceDocuments } from './generator/finance-documents.ts';
import { addFinanceTreasury } from './generator/finance-treasury.ts';
import { addHealthPlan } from './generator/health-plan.ts';
import { addHr } from './generator/hr.ts';
import { addHrDocuments } from './generator/hr-documents.ts';
import { addHrFiles } from './generator/hr-files.ts';
import { addHrPapers } from './generator/hr-papers.ts';
import { addLogs } from './generator/logs.ts';
import { addLookAlikeNumbers } from './generator/look-alike-numbers.ts';
import { addLookAlikes } from './generator/look-alikes.ts';
import { addMail } from './generator/mail.ts';
import { addMailArchive } from './generator/mail-archive.ts';
import { addMailWithAttachments } from './generator/mail-attachments.ts';
import { addMarketing } from './generator/marketing.ts';
import { addNoise } from './generator/noise.ts';
import { addNoteDocuments } from './generator/note-documents.ts';
import { addNotes } from './generator/notes.ts';
import { addPackedExports } from './generator/packed-exports.ts';
import { addPictures } from './generator/pictures.ts';
import { describePlanted } from './generator/planted.ts';
import { Random } from './generator/random.ts';
import { Share, type ShareFile } from './generator/share.ts';
import { addSupport } from './generator/support.ts';

const HOME = join(import.meta.dirname, 'data');
export const SEED = 1974;

const SECTIONS = {
  archive: addArchive,
  binaries: addNoise,
  customers: addCustomers,
  code: addEngineeringCode,
  config: addEngineeringConfig,
  infra: addEngineeringInfra,
  operations: addEngineeringOperations,
  exports: addExports,
  finance: addFinance,
  treasury: addFinanceTreasury,
  health: addHealthPlan,
  hr: addHr,
  papers: addHrPapers,
  logs: addLogs,
  lookAlikes: addLookAlikes,
  lookAlikeNumbers: addLookAlikeNumbers,
  mail: addMail,
  attachments: addMailWithAttachments,
  marketing: addMarketing,
  notes: addNotes,
  support: addSupport,
  hrDocuments: addHrDocuments,
  hrFiles: addHrFiles,
  financeDocuments: addFinanceDocuments,
  customerDocuments: addCustomerDocuments,
  customerCards: addCustomerCards,
  customerMarkup: addCustomerMarkup,
  mailArchive: addMailArchive,
  noteDocuments: addNoteDocuments,
  dataExports: addDataExports,
  packedExports: addPackedExports,
  pictures: addPictures,
};

/** All files of the share, in order of their paths. */
export function makeShare(seed: number): ShareFile[] {
  const share = new Share();
  for (const [name, addSection] of Object.entries(SECTIONS)) addSection(share, new Random(seed, name));
  return share.files;
}

/** Writes the files to `folder` and the list of what they hold beside it. */
export function writeShare(files: readonly ShareFile[], folder: string): void {
  for (const file of files) {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.bytes);
    utimesSync(path, file.modified, file.modified);
  }
  writeFileSync(
    join(dirname(folder), 'planted.json'),
    `${JSON.stringify(describePlanted(files), null, 2)}\n`,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, out: { type: 'string' } } });
  const folder = resolve(values.out ?? HOME);
  const files = makeShare(Number(values.seed ?? SEED));
  prepare(folder);
  writeShare(files, folder);
  process.stdout.write(`${files.length} files in ${folder}\n`);
}

/** Only the default folder is emptied; a folder given as an argument must be empty already. */
function prepare(folder: string): void {
  if (folder === HOME) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty; name a new folder with --out.`);
}

/**
 * The share while it is being made: files in memory, each with what was planted in it.
 *
 * A planted value travels through templates, JSON and CSV as ordinary text between private-use marks. When a file is
 * added the marks are taken out and counted, so the counts in planted.json cannot drift from what the files hold.
 */
import { Random } from './random.ts';

export type DetectorId =
  | 'SSN'
  | 'CREDIT_CARD'
  | 'EMAIL'
  | 'PHONE'
  | 'IP_ADDRESS'
  | 'IBAN'
  | 'ABA_ROUTING'
  | 'DATE_DOB'
  | 'PASSPORT'
  | 'DRIVER_LICENSE'
  | 'NAME'
  | 'ADDRESS'
  | 'MRN'
  | 'NPI'
  | 'DEA'
  | 'MEDICARE_ID'
  | 'VIN'
  | 'BITCOIN_ADDRESS'
  | 'NHS_NUMBER'
  | 'NINO'
  | 'AWS_ACCESS_KEY'
  | 'AWS_SECRET_KEY'
  | 'GITHUB_TOKEN'
  | 'GITLAB_TOKEN'
  | 'SLACK_TOKEN'
  | 'SLACK_WEBHOOK'
  | 'STRIPE_KEY'
  | 'GOOGLE_API_KEY'
  | 'PRIVATE_KEY'
  | 'JWT'
  | 'DATABASE_URL'
  | 'PASSWORD'
  | 'API_KEY'
  | 'DIAGNOSIS'
  | 'GPS_COORDINATES';

export interface Planted {
  readonly detector: DetectorId;
  readonly value: string;
}

export interface ShareFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** The text before packing (compression, charset, mail encoding); null for binary files. */
  readonly text: string | null;
  readonly planted: readonly Planted[];
  readonly modified: Date;
}

type Pack = (text: string) => Buffer;

const MARKED = /\uE000([A-Z_]+)\uE001([^\uE000-\uE002]*)\uE002/g;
const STRAY_MARK = /[\uE000-\uE002]/;

export function plant(detector: DetectorId, value: string): string {
  return `\uE000${detector}\uE001${value}\uE002`;
}

export class Share {
  readonly #files = new Map<string, ShareFile>();

  /** Adds a text file; `pack` turns the finished text into the file's bytes. */
  add(path: string, marked: string, pack: Pack = (text) => Buffer.from(text)): void {
    const planted: Planted[] = [];
    const text = withoutMarks(path, marked, planted);
    this.#put({ path, text, bytes: pack(text), planted, modified: modifiedOf(path) });
  }

  /** Adds a document: `marked` holds its texts in any structure that JSON has; `pack` turns them into the file's bytes. */
  addDocument<T extends object>(path: string, marked: T, pack: (content: T) => Buffer): void {
    const planted: Planted[] = [];
    const texts: string[] = [];
    const content: T = JSON.parse(JSON.stringify(marked), (_, value: unknown) => {
      if (typeof value !== 'string') return value;
      const text = withoutMarks(path, value, planted);
      texts.push(text);
      return text;
    });
    const bytes = pack(content);
    this.#put({ path, text: texts.join('\n'), bytes, planted, modified: modifiedOf(path) });
  }

  /** Adds a binary file, with nothing planted in it. */
  addBytes(path: string, bytes: Buffer): void {
    this.#put({ path, text: null, bytes, planted: [], modified: modifiedOf(path) });
  }

  get files(): ShareFile[] {
    return [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #put(file: ShareFile): void {
    if (this.#files.has(file.path)) throw new Error(`${file.path} is added twice`);
    this.#files.set(file.path, file);
  }
}

function withoutMarks(path: string, marked: string, planted: Planted[]): string {
  const text = marked.replace(MARKED, (_, detector: DetectorId, value: string) => {
    planted.push({ detector, value });
    return value;
  });
  if (STRAY_MARK.test(text)) throw new Error(`${path}: a planted value was cut or nested`);
  return text;
}

/** A fixed date for each path, whatever the seed: a scan by age gives the same answer on every machine. */
function modifiedOf(path: string): Date {
  const [from, to] = path.startsWith('archive/') ? [2009, 2016] : [2025, 2025];
  const random = new Random(1, path);
  return new Date(`${random.day(from, to)}T${random.clock()}Z`);
}

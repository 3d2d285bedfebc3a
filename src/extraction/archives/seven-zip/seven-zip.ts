/**
 * Format: 7zFormat.txt and Methods.txt of the LZMA SDK.
 *
 * No library: the packages we know run the 7-Zip program, or a build of it that extracts into a file system. Here entries are
 * streamed, their decoders share the memory limit of the object, and a reader process may neither start programs nor write files.
 */
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { EmbeddedEntry, RandomAccess } from '../../document-item.ts';
import { CorruptInput } from '../../extraction-error.ts';
import { streamRange } from '../byte-range.ts';
import { listFiles } from './seven-zip-files.ts';
import { FolderBytes } from './seven-zip-folder.ts';
import { readSevenZipHeader, START } from './seven-zip-header.ts';
import type { DataExtent, Folder, Streams } from './seven-zip-streams.ts';

/** Files of a 7z archive. Those of a folder are one compressed stream, which is unpacked once and only as far as it is read. */
export async function* read7z(input: RandomAccess, budget: ExtractionBudget): AsyncGenerator<EmbeddedEntry> {
  const { streams, files } = await readSevenZipHeader(input, budget);
  const located = locate(streams);
  const open = new OpenFolder(input, budget);
  try {
    for (const { name, is } of listFiles(files)) {
      if (is === 'none') continue;
      budget.countEntry();
      yield { is: 'entry', name, bytes: is === 'empty' ? nothing() : await open.file(located.next().value) };
      budget.countDecompressed(0); // throws if the limit was exceeded, so that no further entry is read
    }
    if (located.next().done !== true) throw new CorruptInput('7z header');
  } finally {
    await open.close();
  }
}

/** Of all folders one is unpacked at a time. */
class OpenFolder {
  readonly #input: RandomAccess;
  readonly #budget: ExtractionBudget;
  #folder: Folder | null = null;
  #bytes: FolderBytes | null = null;

  constructor(input: RandomAccess, budget: ExtractionBudget) {
    this.#input = input;
    this.#budget = budget;
  }

  /** More files than streams: the header is wrong. */
  async file(located: Located | undefined): Promise<AsyncIterable<Uint8Array>> {
    if (located === undefined) throw new CorruptInput('7z header');
    const { folder, packed, from, file } = located;
    if (this.#bytes === null || this.#folder !== folder) {
      await this.close();
      this.#folder = folder;
      const streams = packed.map((stream) => streamRange(this.#input, stream.from, stream.to));
      this.#bytes = new FolderBytes(folder, streams, this.#budget);
    }
    return this.#bytes.file(from, file);
  }

  async close(): Promise<void> {
    await this.#bytes?.close();
  }
}

interface Located {
  readonly folder: Folder;
  readonly packed: readonly { readonly from: number; readonly to: number }[];
  /** In the unpacked content of the folder. */
  readonly from: number;
  readonly file: DataExtent;
}

/** All files that have bytes, in order. */
function* locate({ from: start, packed: sizes, folders }: Streams): Generator<Located, undefined> {
  let packedFrom = START + start;
  let stream = 0;
  for (const folder of folders) {
    const packed = folder.method.packedInputs.map(() => {
      const from = packedFrom;
      packedFrom += sizes[stream++] ?? 0;
      return { from, to: packedFrom };
    });
    let at = 0;
    for (const file of folder.files) {
      yield { folder, packed, from: at, file };
      at += file.size;
    }
    if (stream > sizes.length) throw new CorruptInput('7z header');
  }
  return undefined;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

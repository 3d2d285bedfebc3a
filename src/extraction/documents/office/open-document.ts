import { openZip, type ZipDirectory, type ZipMember } from '../../archives/zip-directory.ts';
import type { Budget } from '../../budget.ts';
import { Damage, Encrypted } from '../../obstacle.ts';
import type { Piece, RandomAccess, ReadingOptions } from '../../piece.ts';
import type { Meter } from '../sheets/sheet-rows.ts';
import { xmlTokens } from '../xml/xml-tokens.ts';
import { embeddedEntries } from './embedded.ts';
import { OpenContent } from './open-content.ts';
import { eachTag, Parts, textOf } from './parts.ts';
import { PropertyText } from './properties.ts';

const CONTENT = 'content.xml';

/** Texts, sheets, presentations and drawings of LibreOffice and its kin. */
export async function* readOpenDocument(
  input: RandomAccess,
  budget: Budget,
  options: ReadingOptions,
): AsyncGenerator<Piece> {
  const zip = await openZip(input, budget);
  await refuseEncrypted(zip);
  if (zip.find(CONTENT) === null) throw new Damage('missing part');
  const parts = new Parts(zip);
  const meter: Meter = { budget, size: input.size, out: 0 };
  yield* parts.read(CONTENT, (part) => contentOf(part, null, meter));
  for (const { name } of zip.members.filter(({ name }) => name.endsWith(`/${CONTENT}`)))
    yield* parts.read(name, (part) => contentOf(part, name.slice(0, -CONTENT.length - 1), meter));
  if (zip.find('styles.xml') !== null)
    yield* parts.read('styles.xml', (part) => contentOf(part, 'header', meter));
  if (zip.find('meta.xml') !== null)
    yield* parts.read('meta.xml', (part) => textOf(part, new PropertyText(3)));
  yield* embeddedEntries(zip.members, budget, options);
  parts.finish();
}

/** One part is enough: nobody encrypts only the pictures. */
async function refuseEncrypted(zip: ZipDirectory): Promise<void> {
  const manifest = zip.find('META-INF/manifest.xml');
  if (manifest === null) return;
  await eachTag(manifest, 'encryption-data', () => {
    throw new Encrypted();
  });
}

async function* contentOf(part: ZipMember, base: string | null, meter: Meter): AsyncGenerator<Piece> {
  const content = new OpenContent(base, meter);
  try {
    for await (const xml of xmlTokens(part.bytes()))
      while (xml.next()) {
        content.take(xml);
        if (content.ready) yield* content.pieces();
      }
  } catch (error) {
    yield* content.end();
    throw error;
  }
  yield* content.end();
}

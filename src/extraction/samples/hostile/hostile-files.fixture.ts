/** All of them. */
import { archiveFiles } from './archive-files.fixture.ts';
import { compressedFiles } from './compressed-files.fixture.ts';
import { dataFiles } from './data-files.fixture.ts';
import type { HostileFile } from './hostile-file.fixture.ts';
import { legacyFiles } from './legacy-files.fixture.ts';
import { officeFiles } from './office-files.fixture.ts';
import { pdfContents } from './pdf-content.fixture.ts';
import { pdfStructures } from './pdf-structure.fixture.ts';
import { pictureFiles } from './picture-files.fixture.ts';
import { textFiles } from './text-files.fixture.ts';

export const HOSTILE_FILES: readonly HostileFile[] = [
  ...pdfStructures,
  ...pdfContents,
  ...officeFiles,
  ...legacyFiles,
  ...archiveFiles,
  ...compressedFiles,
  ...dataFiles,
  ...pictureFiles,
  ...textFiles,
];

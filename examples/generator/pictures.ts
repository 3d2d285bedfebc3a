/** Pictures, and what is in them besides the picture. */
import { colleague } from './people.ts';
import type { Random } from './random.ts';
import { plant, type Share } from './share.ts';
import { lettering } from './writers/lettering.ts';
import { pdf } from './writers/pdf.ts';
import { photo } from './writers/photo.ts';
import { wordDocument } from './writers/word-document.ts';
import { zip } from './writers/zip.ts';

export function addPictures(share: Share, random: Random): void {
  const owner = colleague(random);
  const badge = {
    owner: owner.name,
    description: `Badge of ${owner.plain}`,
    taken: '2024:02:12 08:55:10',
    north: plant('GPS_COORDINATES', '45.51234'),
    west: '122.67891',
  };
  share.addDocument('images/badge-photo.jpg', badge, (details) => photo(FACE, details));
  share.addBytes('images/whiteboard.png', lettering(WHITEBOARD));
  share.addBytes('images/spring-catalogue.pdf', pdf(CATALOGUE));
  share.addBytes(
    'images/press-kit.zip',
    zip({
      'readme.txt': 'Logos inside, once Marketing finds them.\n',
      'logos/otter.png': lettering(['BRIGHTWATER']),
      'texts/about.txt': ABOUT,
    }),
  );
  share.addBytes('look-alikes/boat-show-programme.pdf', wordDocument(PROGRAMME));
}

/** A person with a hat, from a distance. */
const FACE = [
  '888888888888',
  '888822228888',
  '888222222888',
  '882222222288',
  '888766667888',
  '888636636888',
  '888666666888',
  '888665566888',
  '888763367888',
  '888876678888',
  '884444444488',
  '844444444448',
];

/** Read only with OCR enabled, so nothing in it counts as planted. */
const WHITEBOARD = [
  'WIFI OF THE STORE',
  'PASSWORD: OTTER-LANTERN46',
  'SSN OF THE OTTER: 841-26-5523',
  'DO NOT WIPE',
];

const CATALOGUE = {
  title: 'Spring catalogue',
  author: 'Marketing',
  pages: [
    [
      'SPRING',
      '',
      'Dry is a place.',
      '',
      'Drift anorak. Three layers, one hood, from $189.',
      'Pebble stove. Fits in a mug. Do not boil the mug.',
    ],
    ['HERON WADERS', '', 'Stand still. Look wise. Stay dry to the chest.', '', 'In sizes from S to Bear.'],
  ],
};

const ABOUT = `Brightwater has kept people dry since 1974, and has been apologising for 1975 ever since.
`;

const PROGRAMME = {
  title: 'Boat show, programme',
  author: 'Brightwater Outfitters',
  header: 'Saved under the wrong name on purpose',
  blocks: [
    { heading: 'Boat show' },
    'Order number 4000-1234-5678 is a tent, and invoice 20240305-0042 is for it.',
    {
      table: [
        ['Hall', 'Part number'],
        ['A', '112-33-44555'],
        ['B', '20-3344-5'],
      ],
    },
    'Doors open at ten. Boats open at eleven.',
  ],
};

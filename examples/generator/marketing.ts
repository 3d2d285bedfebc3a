/** Copy with nothing in it to find: a scanner that reports something here is making it up. */
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv } from './tables.ts';

export function addMarketing(share: Share, random: Random): void {
  share.add(
    'marketing/spring-catalogue.md',
    `# Spring

The river is up, the light is back, and somewhere a zip is about to fail. Not one of ours.

## Drift anorak

Three layers. One hood. A pocket for the map and a pocket for the sandwich, so that you never again
unfold the wrong one. From $189.

## Pebble stove

Boils a litre in three minutes and eleven seconds. Fits in a mug. Do not boil the mug.

## Heron waders

Stand still. Look wise. Stay dry to the chest.
`,
  );
  share.add(
    'marketing/slogans.txt',
    `Dry is a place.
Brightwater: since before it rained.
We have been in over our heads since 1974.
Boots with opinions.
The outdoors is free. The trousers are $79.
(rejected) Tents: cheaper than a house.
`,
  );
  share.add(
    'marketing/landing-page.html',
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Brightwater Outfitters</title>
    <style>body { margin: 2rem auto; max-width: 60ch; color: #123456; }</style>
  </head>
  <body>
    <h1>Get wet on purpose</h1>
    <p>Free returns for 90 days, longer if the story is good.</p>
    <ul><li>Anoraks</li><li>Stoves</li><li>Boats, in a sense</li></ul>
  </body>
</html>
`,
  );
  share.add(
    'marketing/press-release-otter.txt',
    `FOR IMMEDIATE RELEASE

Brightwater Outfitters adopts otter

PORTLAND. The outdoor retailer announced today that it has adopted an otter at the county wildlife centre.
The otter, who was not available for comment, will appear on zips, doors and the annual report.

"It was this or a loyalty app," said a spokesperson.
`,
  );
  const campaigns = ['Rain sale', 'Trout opening day', 'Back to the bog', 'Gift of socks'];
  share.add(
    'marketing/campaigns.csv',
    csv(
      campaigns.map((campaign) => ({
        campaign,
        budget: random.int(2, 40) * 500,
        clicks: random.int(900, 60_000),
        conversion: `${random.int(1, 4)}.${random.int(0, 9)}%`,
        start: random.day(2024, 2024),
      })),
    ),
  );
  const lines = ['Tents', 'Boots', 'Stoves', 'Hats'].map(
    (label, n) =>
      `  <text x="8" y="${20 + n * 24}">${label}</text>\n  <rect x="80" y="${8 + n * 24}" width="${random.int(40, 220)}" height="14"/>\n`,
  );
  share.add(
    'marketing/sales-chart.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120">\n${lines.join('')}</svg>\n`,
  );
}

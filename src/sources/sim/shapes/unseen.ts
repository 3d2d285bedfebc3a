/** Shapes added after planning was written. Its parameters were tuned with `mail` among others; `tiles` was held out. */
import type { Group } from '../bucket.ts';
import { digits, LETTERS, scattered, unpadded, words } from '../naming.ts';
import { gauss } from '../scatter.ts';
import { distribute, type Folder, uneven } from './weighted.ts';

/** vmail/DOMAIN/USER/cur/1702041234…: few domains have most users, a few users most mail. */
export function mail(count: number, seed: number): Group[] {
  const folders = words(seed, 60, 4, 12).flatMap((domain, rank) =>
    words(seed + rank + 1, Math.ceil(400 / (rank + 1)), 3, 10, `${LETTERS}.`).map((user, i): Folder => {
      return {
        prefix: `vmail/${domain}.example/${user}/cur/1${digits(5 + (rank % 2), 1)}`,
        weight: uneven(seed + 7, rank * 1000 + i, 1.6),
        names: (n) => scattered(seed + rank * 1000 + i, n, '0123456789', 15, `.M${digits(rank, 6)}P1.mx:2,S`),
      };
    }),
  );
  return distribute(folders, count);
}

/** tiles/ZOOM/X/Y.png: a pyramid, with most tiles of the lower levels over land. */
export function tiles(count: number, seed: number): Group[] {
  const deepest = Math.max(4, Math.min(13, Math.floor(Math.log(count) / Math.log(4))));
  const folders: Folder[] = [];
  for (let zoom = 0; zoom <= deepest; zoom++) {
    for (let x = 0; x < 2 ** zoom; x++) {
      const place = Math.floor((x / 2 ** zoom) * 64);
      const land = 1 / (1 + Math.exp(-2 * gauss(seed, place, 3)));
      folders.push({
        prefix: `tiles/${zoom}/${x}/`,
        weight: 2 ** zoom * (zoom < 6 ? 1 : land),
        names: (n) => unpadded(n, '.png'),
      });
    }
  }
  return distribute(folders, count);
}

import type { Piece } from '../../piece.ts';

/** The pieces of something inside: its places are places in `outer`. */
export async function* placedIn(outer: string, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (piece.is === 'entry') yield { ...piece, name: `${outer}/${piece.name}` };
    else yield { ...piece, place: piece.place === null ? outer : `${outer}/${piece.place}` };
  }
}

/**
 * Node reads and writes no bzip2, so the compressed bytes of this one small table were made once and are kept here.
 * They hold exactly what `leadsTable` gives; change one and the other has to follow (`bzip2 -9 | base64`).
 */
import { plant } from './share.ts';
import { csv } from './tables.ts';

const LEADS = [
  ['Xiomara Bulrush', 'xiomara.bulrush@example.org', 'boat show'],
  ['Percival Rookhope', 'p.rookhope@example.com', 'raffle, won a hat'],
  ['Noor Tidewell', 'noor.tidewell@example.net', 'boat show'],
  ['Hamish Mosswick', 'hamish@mail.example.com', 'asked for directions'],
  ['Anneke Vandersloot', 'anneke.v@example.org', 'boat show'],
  ['Gideon Greyling', 'greyling77@example.com', 'raffle, wanted the hat'],
] as const;

const COMPRESSED = [
  'QlpoOTFBWSZTWRAp8qIAAHlfgAAQUAUAgHDDVUC/79/gMAD2MCUmpqbU8UyeiHqepoGgG1CJiQAAAD1GmmgCUKaTaaNCekGIGgPU',
  'G+AsXFfyjHIskfXCo5gIBAwaBiwhMWxgckRKMVOsarEambyWKqqqKi210KkTZhm/6JrLe8bxNKihM7ZskkaKl/F+JbwYRzQbGsvI',
  '5d1dBjmYKkDQmYUDyHQFcRuHJdr6psJHvR22RMyLcyGdiruMhPw8fUellFITYApmtDK89tc5aopglpHktetbuGZCbJFVaklKCMTA',
  '0Jbe+lpHVcXuoM8pHF+VgivNdsJ1pAbF6OeRVRMWH8XckU4UJAQKfKiA',
];

export function leadsTable(): string {
  const row = ([name, email, place]: (typeof LEADS)[number]) => ({
    name: plant('NAME', name),
    email: plant('EMAIL', email),
    met_at: place,
  });
  return csv(LEADS.map(row));
}

export function leadsBzip2(): Buffer {
  return Buffer.from(COMPRESSED.join(''), 'base64');
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a calendar has that day. A year of two digits leaves the century open, so 29 February counts. */
export function dayExists(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= DAYS[month - 1]!;
}

/** `YYMMDD` at the beginning of the text. */
export function beginsWithYymmdd(text: string): boolean {
  return dayExists(Number(text.slice(2, 4)), Number(text.slice(4, 6)));
}

/** `YYYYMMDD` at the start of the text: a plausible date of birth of a person on file. */
export function beginsWithBirthDate(text: string): boolean {
  const year = Number(text.slice(0, 4));
  const [month, day] = [Number(text.slice(4, 6)), Number(text.slice(6, 8))];
  if (year < 1880 || year > 2050 || !dayExists(month, day)) return false;
  return month !== 2 || day !== 29 || leap(year);
}

function leap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

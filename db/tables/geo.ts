import type { Region } from '#contract/base/region.ts'
import type { Flag } from '#db/columns.ts'

/** One live UK postcode. Empty until a file of postcodes is imported. */
export interface UkUnitRow {
  /** Upper case, no space: "SW1A1AA". */
  postcode: string
  latitude: number
  longitude: number
}

/** A postcode sector with the median point of its postcodes. */
export interface UkSectorRow {
  /** "SW1A 1". */
  sector: string
  outcode: string
  latitude: number
  longitude: number
  /** Number of live postcodes: a weight for population. */
  postcodes: number
}

/** The first half of a postcode, or a shorter prefix people type, as the mean of its sectors. */
export interface UkOutcodeRow {
  /** "SW1A" (outcode), "SW1" (district of several outcodes), "SW" (area). */
  code: string
  level: 'outcode' | 'district' | 'area'
  latitude: number
  longitude: number
  /** 0 where only the town is known (Northern Ireland, Isle of Man, Channel Islands). */
  postcodes: number
  /** A town close by, for telling codes apart; may be empty. */
  near: string
}

export interface UsZipRow {
  zip: string
  latitude: number
  longitude: number
  city: string
  /** Two letters; AA, AE and AP are military. */
  state: string
  time_zone: string
  /** Source of the point: `zcta` is a Census area, `point` a post office, `military` lies overseas. */
  kind: 'zcta' | 'point' | 'military'
}

/** A town, village or part of a town under one of its spellings. */
export interface GeoPlaceRow {
  region: Region
  /** The spelling folded by `placeKey`. */
  key: string
  id: number
  name: string
  /** ENG, SCT, WLS, NIR and the like, or a state's two letters. */
  admin: string
  admin_name: string
  latitude: number
  longitude: number
  /** 0 when unknown, and for parts of a town, whose people are counted with the town. */
  population: number
  /** By which places of a name are ordered: the population, or what stands for it. */
  rank: number
  /** Closest outcode or ZIP code: distinguishes places of one name ("Newport, TF10"). */
  near: string
  /** An additional spelling of a place: excluded when summing population. */
  is_alias: Flag
}

/** What was loaded, so that it need not be loaded again. */
export interface GeoMetaRow {
  key: string
  value: string
}

export interface GeoTables {
  geo_uk_units: UkUnitRow
  geo_uk_sectors: UkSectorRow
  geo_uk_outcodes: UkOutcodeRow
  geo_us_zips: UsZipRow
  geo_places: GeoPlaceRow
  geo_meta: GeoMetaRow
}

import { expect, test } from 'vitest'
import * as made from './fixtures.ts'
import { detectFormat } from './formats.ts'

const firstLine = (text: string): string => text.split(/\r?\n/)[0] ?? ''

test.each([
  ['Code-Point Open', made.codePoint, 'code_point'],
  ['ONSPD', made.onspd, 'postcode_list'],
  ['NSPL of 2025', made.nspl2025, 'postcode_list'],
  ['postcode,lat,lon', made.plain, 'postcode_list'],
  ['the gazetteer', made.gazetteer, 'gazetteer'],
  ['the gazetteer of 2025', made.gazetteer2025, 'gazetteer'],
  ['GeoNames', made.geoNames, 'geonames'],
  ['its places', made.geoNamesPlaces, 'geonames_places'],
])('%s is recognized by its first line', (_name, text, kind) => {
  expect(detectFormat(firstLine(text))?.kind).toBe(kind)
})

test('recognizes every name the postcode column has had', () => {
  for (const name of ['pcd', 'pcd2', 'pcds', 'pcd7', 'PCD8', '\uFEFFpcds']) {
    expect(detectFormat(`x,${name},lat,long`)).toMatchObject({ postcode: 1, terminated: null })
  }
})

test.each([
  ['a read-me', 'Readme for GeoNames Postal Code files'],
  ['column headers of Code-Point Open', 'PC,PQ,EA,NO,CY,RH,LH,CC,DC,WC'],
  ['surgeries with a postcode each', 'ods_code,name,postcode,lat,lon'],
  ['outcodes', 'outcode,lat,lon,postcodes'],
  [
    'counties of the Census, whose codes look like ZIP codes',
    'USPS\tGEOID\tANSICODE\tNAME\tALAND\tAWATER\tINTPTLAT\tINTPTLONG',
  ],
  ['nothing', ''],
])('%s is not a list of places', (_name, line) => {
  expect(detectFormat(line)).toBeNull()
})

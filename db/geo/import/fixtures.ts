import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import type { GeoPlaceRow } from '#db/tables/geo.ts'

/** A temporary folder of generated files for one test, with subfolders. */
export function makeFolder(files: Record<string, string | Buffer>): { root: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'apposite-geo-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

function words(...pairs: (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    pairs.map(([bytes, value]) => {
      const word = Buffer.alloc(bytes)
      word.writeUIntLE(value, 0, bytes)
      return word
    }),
  )
}

/** A zip archive of texts, as downloads come: deflated, with a directory at its end. */
export function makeZip(files: Record<string, string>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(text)
    const facts = words(
      [2, 20],
      [2, 0],
      [2, 8],
      [4, 0x00210000],
      [4, crc32(text)],
      [4, packed.length],
      [4, Buffer.byteLength(text)],
      [2, name.length],
      [2, 0],
    )
    const local = Buffer.concat([words([4, 0x04034b50]), facts, name, packed])
    const rest = words([2, 0], [2, 0], [2, 0], [4, 0], [4, offset])
    directory.push(Buffer.concat([words([4, 0x02014b50], [2, 20]), facts, rest, name]))
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = words(
    [4, 0x06054b50],
    [4, 0],
    [2, directory.length],
    [2, directory.length],
    [4, listed.length],
    [4, offset],
    [2, 0],
  )
  return Buffer.concat([...locals, listed, end])
}

/** Made-up rows in each publisher's format, at the real places' coordinates. */
export const codePoint = [
  '"SW1A1AA",10,529090,179645,"E92000001","E19000003","E18000007","","E09000033","E05013806"',
  '"OX495NU",10,464447,195647,"E92000001","E19000003","E18000007","","E07000179","E05009735"',
  '"ZE1 0AA",10,447759,1141280,"S92000003","","S08000026","","S12000027","S13002774"',
  '"ZE1 0ZZ",90,0,0,"S92000003","","S08000026","","S12000027","S13002774"',
  '',
].join('\r\n')

export const onspd = [
  '"pcd","pcd2","pcds","dointr","doterm","oscty","oseast1m","osnrth1m","osgrdind","lat","long","imd"',
  '"SW1A1AA","SW1A 1AA","SW1A 1AA","198001","","E99999999","529090","0179645","1",51.501009,-0.141588,1',
  '"SW1A2AB","SW1A 2AB","SW1A 2AB","198001","201806","E99999999","530047","0179951","1",51.503541,-0.127670,1',
  '"ZE1 0ZZ","ZE1  0ZZ","ZE1 0ZZ","198001","","S99999999","","","9",99.999999,0.000000,1',
  '"BT1 1AA","BT1  1AA","BT1 1AA","198001","","N99999999","","","1",54.602,-5.925,1',
  '"BF1 1AA","BF1  1AA","BF1 1AA","201201","","E99999999","","","1",51.3,-0.8,1',
  '"GIR0AA","GIR 0AA","GIR 0AA","198001","","E99999999","","","1",53.4,-2.9,1',
  '',
].join('\r\n')

export const nspl2025 = [
  'PCD7,PCD8,PCDS,DOINTR,DOTERM,OA21CD,LAT,LONG',
  'SW1A1AA,SW1A 1AA,SW1A 1AA,198001,,E00023938,51.501009,-0.141588',
  'EH1 1YZ,EH1  1YZ,EH1 1YZ,198001,,S00000001,55.9503,-3.193',
].join('\n')

export const plain = 'postcode,lat,lon\nSW1A1AA,51.5010,-0.1416\nM11AE,53.4835,-2.2312\nM1 1,1,2\n'

export const gazetteer = [
  'GEOID\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG                     ',
  '99501\t3972003\t0\t1.534\t0\t61.216799\t-149.87637',
  '99999\t3972003\t0\t1.534\t0\t60.1\t-150.1',
].join('\n')

/** The Census puts this code in the middle of the Brooks Range, 296 km from its town. */
export const wildGazetteer = [
  'GEOID\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG                     ',
  '99701\t3972003\t0\t1.534\t0\t67.37543\t-149.728458',
].join('\n')

export const fairbanksOffice =
  'US\t99701\tFairbanks\tAlaska\tAK\tFairbanks North Star\t090\t\t\t64.8378\t-147.7164\t4'

export const fairbanks: GeoPlaceRow = {
  region: 'usa',
  key: 'fairbanks',
  id: 5861897,
  name: 'Fairbanks',
  admin: 'AK',
  admin_name: 'Alaska',
  latitude: 64.83778,
  longitude: -147.71639,
  population: 32325,
  rank: 32325,
  near: '99701',
  is_alias: 0,
}

export const gazetteer2025 = [
  'GEOID|GEOIDFQ|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG',
  '99501|860Z200US99501|3972003|0|1.534|0|61.216799|-149.87637',
].join('\n')

export const geoNames = [
  'US\t99501\tAnchorage\tAlaska\tAK\tAnchorage Municipality\t020\t\t\t60.0\t-148.0\t4',
  'US\t73960\tNew Town\tOklahoma\tOK\tTexas\t139\t\t\t36.6\t-101.6\t4',
  'US\t09012\tAPO AE\t\tAE\t\t\t\t\t49.44\t7.6\t4',
  'PR\t00601\tAdjuntas\tPuerto Rico\tPR\tAdjuntas\t001\t\t\t18.16\t-66.72\t4',
  'FR\t75001\tParis\t\u00cele-de-France\t11\tParis\t75\t\t\t48.86\t2.34\t5',
].join('\n')

function placeLine(place: {
  id: number
  name: string
  at: readonly [latitude: number, longitude: number]
  code: string
  country: string
  admin: string
  population?: number
}): string {
  const { id, name, at, code, country, admin, population = 0 } = place
  const featureClass = code.startsWith('PPL') ? 'P' : 'H'
  const cells = [id, name, name, '', ...at, featureClass, code, country, '', admin, '', '', '']
  return [...cells, population, '', 31, 'Europe/London', '2024-01-01'].join('\t')
}

/** Places as GeoNames lists them: a lake, a village, an abandoned one, a town in both lists, a US post town. */
export const geoNamesPlaces = [
  placeLine({
    id: 2636940,
    name: 'Buttermere Lake',
    at: [54.53, -3.27],
    code: 'LK',
    country: 'GB',
    admin: 'ENG',
  }),
  placeLine({
    id: 2654300,
    name: 'Buttermere',
    at: [54.541, -3.277],
    code: 'PPL',
    country: 'GB',
    admin: 'ENG',
    population: 127,
  }),
  placeLine({
    id: 2634000,
    name: 'Wharram Percy',
    at: [54.067, -0.69],
    code: 'PPLH',
    country: 'GB',
    admin: 'ENG',
  }),
  placeLine({
    id: 2643123,
    name: 'Manchester',
    at: [53.4809, -2.2374],
    code: 'PPLA2',
    country: 'GB',
    admin: 'ENG',
    population: 600_000,
  }),
  placeLine({
    id: 4998018,
    name: 'Hell',
    at: [42.4347, -83.985],
    code: 'PPL',
    country: 'US',
    admin: 'MI',
  }),
  placeLine({
    id: 2988507,
    name: 'Paris',
    at: [48.85, 2.35],
    code: 'PPLC',
    country: 'FR',
    admin: '11',
  }),
  '',
].join('\n')

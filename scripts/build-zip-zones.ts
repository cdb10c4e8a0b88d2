/**
 * Builds `db/geo/us-zip-zones.tsv`, the time zone of every domestic ZIP code, from the boundaries of geo-tz (decision
 * 063). Those are 70 MB, so they are not a dependency; FOLDER is where they have been installed:
 *
 *     npm install --prefix FOLDER geo-tz
 *     npm run geo:zones -- FOLDER [OUTPUT]
 */
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { stdout } from 'node:process'
import { printZipZones, readZipZones, ZIP_ZONES_FILE } from '#db/geo/zip-zones.ts'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'
import { type ZoneFinder, zonesOfZips } from './zones-of-zips.ts'

type Find = (latitude: number, longitude: number) => unknown

function isFinder(value: unknown): value is { find: Find } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'find' in value &&
    typeof value.find === 'function'
  )
}

function loadFinder(from: string): ZoneFinder {
  const geoTz: unknown = createRequire(resolve(from, 'package.json'))('geo-tz/all')
  if (!isFinder(geoTz)) throw new Error('geo-tz has no find()')
  return ({ latitude, longitude }) => {
    const zones = geoTz.find(latitude, longitude)
    const zone: unknown = Array.isArray(zones) ? zones[0] : undefined
    if (typeof zone !== 'string') throw new Error(`No zone at ${latitude}, ${longitude}`)
    return zone
  }
}

async function main(folder: string, output: string | undefined): Promise<number> {
  const zones = await zonesOfZips(loadFinder(folder))
  const zoneBefore = readZipZones()
  await writeFile(output ?? ZIP_ZONES_FILE, printZipZones(zones))
  for (const [zip, zone] of zones) {
    if (zoneBefore(zip) !== zone) stdout.write(`${zip}: ${zoneBefore(zip)} -> ${zone}\n`)
  }
  stdout.write(`${zones.size} ZIP codes.\n`)
  return 0
}

await runCommand(TOOLS['geo:zones'], ({ words: [folder = '', output] }) => main(folder, output))

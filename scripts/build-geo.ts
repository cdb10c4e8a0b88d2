/**
 * Builds `db/geo/uk-sectors.tsv` from a list of all live postcodes: a Code-Point Open download
 * (zip or folder), ONSPD or NSPL, or a `postcode,lat,lon` CSV, packed or not. Northern Ireland is
 * left out whatever the file holds: its postcodes are not under the Open Government Licence.
 *
 *     npm run geo:build -- FILE [OUTPUT]
 */
import { writeFile } from 'node:fs/promises'
import { argv, exit, stderr, stdout } from 'node:process'
import { readUkUnits } from '#db/geo/import/read-uk.ts'
import { Rejects } from '#db/geo/import/report.ts'
import { printSectors, sectorsOf } from '#db/geo/sectors.ts'

const [, , source, output] = argv
const target = output ?? new URL('../db/geo/uk-sectors.tsv', import.meta.url)

if (source === undefined) {
  stderr.write('Name the file to read: npm run geo:build -- FILE\n')
  exit(2)
}

stdout.write(`Reading ${source}\n`)
const rejects = new Rejects()
const sectors = await sectorsOf(readUkUnits(source, rejects, { includeNorthernIreland: false }))
if (sectors.length === 0) {
  stderr.write('No postcodes found in the file; the table is unchanged.\n')
  exit(1)
}
await writeFile(target, printSectors(sectors))
const postcodes = sectors.reduce((sum, row) => sum + row.postcodes, 0)
stdout.write(`${sectors.length} sectors from ${postcodes} postcodes.\n`)
for (const { reason, count, examples } of rejects.list()) {
  stdout.write(`Left out, ${reason}: ${count} (${examples.join(', ')})\n`)
}

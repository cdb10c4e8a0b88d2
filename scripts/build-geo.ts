/**
 * Builds `db/geo/uk-sectors.tsv` from a list of all live postcodes: a Code-Point Open download
 * (zip or folder), ONSPD or NSPL, or a `postcode,lat,lon` CSV, packed or not. Northern Ireland is
 * left out whatever the file holds: its postcodes are not under the Open Government Licence.
 *
 *     npm run geo:build -- FILE [OUTPUT]
 */
import { writeFile } from 'node:fs/promises'
import { stderr, stdout } from 'node:process'
import { readUkUnits } from '#db/geo/import/read-uk.ts'
import { Rejects } from '#db/geo/import/report.ts'
import { printSectors, sectorsOf } from '#db/geo/sectors.ts'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'

async function main(source: string, output: string | undefined): Promise<number> {
  const target = output ?? new URL('../db/geo/uk-sectors.tsv', import.meta.url)
  stdout.write(`Reading ${source}\n`)
  const rejects = new Rejects()
  const sectors = await sectorsOf(readUkUnits(source, rejects, { includeNorthernIreland: false }))
  if (sectors.length === 0) {
    stderr.write('No postcodes found in the file; the table is unchanged.\n')
    return 1
  }
  await writeFile(target, printSectors(sectors))
  const postcodes = sectors.reduce((sum, row) => sum + row.postcodes, 0)
  stdout.write(`${sectors.length} sectors from ${postcodes} postcodes.\n`)
  for (const { reason, count, examples } of rejects.list()) {
    stdout.write(`Left out, ${reason}: ${count} (${examples.join(', ')})\n`)
  }
  return 0
}

await runCommand(TOOLS['geo:build'], ({ words: [source = '', output] }) => main(source, output))

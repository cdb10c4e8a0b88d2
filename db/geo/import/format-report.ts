import type { Imported } from './import-file.ts'
import type { Rejects } from './problem.ts'

/** "1,745,013" */
function formatNumber(count: number): string {
  return count.toLocaleString('en-GB')
}

/** "1 file", "120 files" */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The report of an import, one line each: rows imported, and rows left out with the reasons. */
export function formatImported(name: string, done: Imported, rejects: Rejects): string[] {
  const parts = [
    done.postcodes > 0 || done.zips + done.places === 0
      ? [formatCount(done.postcodes, 'postcode')]
      : [],
    done.zips > 0 ? [formatCount(done.zips, 'ZIP code')] : [],
    done.places > 0 ? [formatCount(done.places, 'place')] : [],
  ].flat()
  return [
    `${name}: ${parts.join(' and ')}`,
    ...rejects.list().map(({ reason, count, examples }) => {
      const more = count > examples.length ? ', …' : ''
      return `  left out, ${reason}: ${formatNumber(count)} (${examples.join('; ')}${more})`
    }),
  ]
}

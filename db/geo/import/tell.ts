import type { Imported } from './import-file.ts'
import type { Rejects } from './rejects.ts'

/** "1,745,013" */
export function grouped(count: number): string {
  return count.toLocaleString('en-GB')
}

/** How many of what were taken from a file, and what was left out and why, a line each. */
export function tellImported(name: string, done: Imported, rejects: Rejects): string[] {
  const parts = [
    done.postcodes > 0 || done.zips === 0 ? [`${grouped(done.postcodes)} postcodes`] : [],
    done.zips > 0 ? [`${grouped(done.zips)} ZIP codes`] : [],
  ].flat()
  return [
    `${name}: ${parts.join(' and ')}`,
    ...rejects.list().map(({ reason, count, examples }) => {
      const more = count > examples.length ? ', …' : ''
      return `  left out, ${reason}: ${grouped(count)} (${examples.join('; ')}${more})`
    }),
  ]
}

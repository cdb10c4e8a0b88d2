import { readdirSync } from 'node:fs'
import type { Step } from './step.ts'

const names = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-.*\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))

/** Every migration by name, in order: the numbered files of this folder. */
export const migrations: Record<string, Step> = {}
for (const name of names.toSorted()) {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- Kysely checks what a file exports
  migrations[name] = await import(/* @vite-ignore */ `./${name}.ts`)
}

/**
 * The last migration of the latest released version. What comes after it must leave that version working,
 * and a version that knows less must not run over what we made. Raised at each release.
 */
export const RELEASED = '0014-calendars'

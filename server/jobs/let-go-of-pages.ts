import type { Services } from '#server/context.ts'

/**
 * Gives mapped pages of the database back. Those that are read all the time are mapped again at
 * once; the rest would count as this process's memory for as long as it lives.
 */
export async function letGoOfPages({ database }: Services): Promise<void> {
  database.letGoOfPages()
}

import * as z from 'zod/mini'
import type { Region } from '#contract/region.ts'
import { Specialty } from '#contract/search.ts'
import { readStored, writeStored } from './storage.ts'

/** How long the list of a region is good for: 1440 minutes (specification, section 9). */
export const SPECIALITY_CACHE_MS = 1_440 * 60_000

const Kept = z.object({ savedAt: z.number(), specialities: z.array(Specialty) })
export type KeptSpecialities = z.infer<typeof Kept>

const keyOf = (region: Region) => `speciality_${region}`

function parse(text: string | null): KeptSpecialities | null {
  try {
    const kept = Kept.safeParse(JSON.parse(text ?? 'null'))
    return kept.success ? kept.data : null
  } catch {
    return null
  }
}

/** The stored list of a region, if it is valid and younger than 1440 minutes at `now` (epoch ms). */
export function readSpecialities(region: Region, now = Date.now()): KeptSpecialities | null {
  const kept = parse(readStored(keyOf(region)))
  if (kept === null || kept.savedAt > now || now - kept.savedAt >= SPECIALITY_CACHE_MS) return null
  return kept
}

/** Stores a region's list under `speciality_{region}` with the timestamp `now` (epoch ms). */
export function keepSpecialities(
  region: Region,
  specialities: Specialty[],
  now = Date.now(),
): void {
  writeStored(keyOf(region), JSON.stringify({ savedAt: now, specialities }))
}

import type { Region } from '#contract/region.ts'
import type { Specialty } from '#contract/search.ts'
import { specialties } from '#db/reference/specialties.ts'

/** The specialties as people of a region call them, by name. */
export function listSpecialities(region: Region): Specialty[] {
  return specialties
    .map(({ slug, name, plural, about }) => ({
      slug,
      name: name[region],
      plural: plural[region],
      about,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

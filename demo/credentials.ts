import type { Region } from '#contract/base/region.ts'
import type { SpecialtyEntry } from '#db/reference/specialties.ts'
import type { SpecialtyFacts } from '#demo/people/specialty-facts.ts'
import type { Random } from './random.ts'

/** The check digit that makes `80840` + number + digit pass the Luhn test (NPI standard). */
export function npiCheckDigit(nineDigits: string): number {
  let sum = 0
  const digits = Array.from(`80840${nineDigits}`, Number).toReversed()
  for (const [at, digit] of digits.entries()) {
    const doubled = at % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}

/**
 * A number no real person holds: GMC and GDC numbers do not begin with 9 yet, and no NPI beginning with 2 has
 * been assigned. `serial` is unique within the body.
 */
export function membershipNumber(body: 'GMC' | 'GDC' | 'NPI', serial: number): string {
  if (body === 'GMC') return String(9_000_000 + ((serial * 613 + 20_117) % 999_983))
  if (body === 'GDC') return String(900_000 + ((serial * 37 + 4_211) % 99_991))
  const nine = String(200_000_000 + ((serial * 48_611 + 7_345_127) % 99_999_989))
  return `${nine}${npiCheckDigit(nine)}`
}

const UK_MEDICAL_SCHOOLS = [
  ['MBBS', 'King’s College London'],
  ['MBBS', 'University College London'],
  ['MBBS', 'Imperial College London'],
  ['MBChB', 'University of Manchester'],
  ['MBChB', 'University of Leeds'],
  ['MBChB', 'University of Birmingham'],
  ['MBChB', 'University of Sheffield'],
  ['MBChB', 'University of Glasgow'],
  ['MBChB', 'University of Edinburgh'],
  ['MBChB', 'University of Bristol'],
  ['MBBS', 'Newcastle University'],
  ['BMBS', 'University of Nottingham'],
  ['BM', 'University of Southampton'],
  ['MB BCh', 'Cardiff University'],
  ['MB BChir', 'University of Cambridge'],
  ['BM BCh', 'University of Oxford'],
] as const

const UK_DENTAL_SCHOOLS = [
  'King’s College London',
  'Queen Mary University of London',
  'University of Birmingham',
  'University of Bristol',
  'Cardiff University',
  'University of Dundee',
  'University of Glasgow',
  'University of Leeds',
  'University of Liverpool',
  'University of Manchester',
  'Newcastle University',
  'University of Sheffield',
] as const

const US_MEDICAL_SCHOOLS = [
  'University of Michigan',
  'Ohio State University',
  'Emory University',
  'Baylor College of Medicine',
  'University of Texas Southwestern',
  'University of Washington',
  'University of North Carolina',
  'Howard University',
  'Boston University',
  'Tufts University',
  'Temple University',
  'University of Illinois',
  'University of Florida',
  'University of Minnesota',
  'University of Colorado',
  'Oregon Health and Science University',
  'Wayne State University',
  'Meharry Medical College',
] as const

const US_DENTAL_SCHOOLS = [
  'Tufts University',
  'University of Michigan',
  'Ohio State University',
  'University of Southern California',
  'University of Texas Health Houston',
  'New York University',
  'Temple University',
  'University of Washington',
  'Meharry Medical College',
] as const

const GP_DIPLOMAS = ['DFSRH', 'DRCOG', 'DCH', 'DipDerm', 'PGCert Medical Education']

function ukQualifications(random: Random, specialty: SpecialtyEntry, facts: SpecialtyFacts) {
  return (year: number): string[] => {
    const later = year + random.between(5, 8)
    if (specialty.ukBody === 'GDC') {
      const list = [`BDS, ${random.pick(UK_DENTAL_SCHOOLS)}, ${year}`]
      if (specialty.slug !== 'dentist' || random.chance(0.5))
        list.push(`${facts.letters}, ${later}`)
      return list
    }
    const [degree, school] = random.pick(UK_MEDICAL_SCHOOLS)
    const list = [`${degree}, ${school}, ${year}`, `${facts.letters}, ${later}`]
    if (specialty.slug === 'gp' && random.chance(0.5)) list.push(random.pick(GP_DIPLOMAS))
    if (specialty.slug !== 'gp')
      list.push(`CCT in ${specialty.gmc}, ${later + random.between(2, 4)}`)
    return list
  }
}

function usQualifications(random: Random, specialty: SpecialtyEntry, facts: SpecialtyFacts) {
  return (year: number): string[] => {
    if (specialty.ukBody === 'GDC') {
      const list = [`${random.pick(['DDS', 'DMD'])}, ${random.pick(US_DENTAL_SCHOOLS)}, ${year}`]
      if (facts.board !== '') list.push(`Board certified, ${facts.board}`)
      return list
    }
    const degree = random.chance(0.86) ? 'MD' : 'DO'
    const school = degree === 'MD' ? random.pick(US_MEDICAL_SCHOOLS) : 'Michigan State University'
    const list = [`${degree}, ${school}, ${year}`, `Board certified, ${facts.board}`]
    if (random.chance(0.3)) list.push(`Residency completed ${year + random.between(3, 5)}`)
    return list
  }
}

/** Degrees and memberships in the order they were earned, beginning in the given year. */
export function qualificationsFrom(
  random: Random,
  year: number,
  field: { region: Region; specialty: SpecialtyEntry; facts: SpecialtyFacts },
): string[] {
  const write = field.region === 'uk' ? ukQualifications : usQualifications
  return write(random, field.specialty, field.facts)(year)
}

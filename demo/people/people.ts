import type { Gender, Language } from '#contract/base/people.ts'
import type { Region } from '#contract/base/region.ts'
import { DEMO_PROVIDER, DEMO_US_PROVIDER } from '#db/reference/demo.ts'
import { type SpecialtyEntry, specialties } from '#db/reference/specialties.ts'
import { membershipNumber, qualificationsFrom } from '#demo/credentials.ts'
import { choosePortrait, type Sitter } from '#demo/pictures/portraits.ts'
import { hash32, idFrom, pickWeighted, type Random, randomFor, shuffled } from '#demo/random.ts'
import {
  american,
  arab,
  british,
  chinese,
  eastAfrican,
  filipino,
  hindu,
  hispanic,
  japanese,
  korean,
  muslimSouthAsian,
  persian,
  punjabi,
  slavic,
  southEuropean,
  turkish,
  vietnamese,
  westAfrican,
} from './name-lists.ts'
import type { Heritage } from './names-kit.ts'
import { SPECIALTY_FACTS, type SpecialtyFacts } from './specialty-facts.ts'

/** Origins of the demo's providers by region, and how common each is. */
const HERITAGES: Record<Region, readonly (readonly [Heritage, number])[]> = {
  uk: [
    [british, 54],
    [hindu, 11],
    [muslimSouthAsian, 9],
    [westAfrican, 6],
    [punjabi, 3],
    [arab, 3.5],
    [slavic, 3.5],
    [southEuropean, 3.5],
    [chinese, 3],
    [persian, 1],
    [eastAfrican, 1],
    [turkish, 0.9],
    [filipino, 0.6],
  ],
  usa: [
    [american, 52],
    [hispanic, 15],
    [hindu, 8],
    [chinese, 4.5],
    [westAfrican, 3],
    [arab, 2.5],
    [muslimSouthAsian, 3],
    [korean, 2.5],
    [vietnamese, 2.5],
    [slavic, 2.5],
    [filipino, 2],
    [persian, 1.5],
    [southEuropean, 1.5],
    [japanese, 0.8],
    [punjabi, 0.7],
    [eastAfrican, 0.5],
  ],
}

/** A provider people can sign in as; described in full, since visitors look at them first. */
type FixedPerson = {
  email: string
  specialty: string
  /** The sector or ZIP code they work in. */
  area: RegExp
  isVerified: boolean
  sitter: Sitter
  firstName: string
  lastName: string
  languages: Language[]
  qualifications: string[]
  years: number
  about: string
  practice: { name: string; address: string }
}

/** The provider accounts of accounts.ts, at the head of their region's list. */
const FIXED_PEOPLE: Record<Region, readonly FixedPerson[]> = {
  uk: [
    {
      email: DEMO_PROVIDER,
      specialty: 'gp',
      area: /^SE1 \d/,
      isVerified: true,
      sitter: { gender: 'female', tone: 3, older: false, cover: 'none' },
      firstName: 'Amara',
      lastName: 'Bennett',
      languages: ['en', 'fr', 'yo'],
      qualifications: [
        'MBBS, King’s College London, 2007',
        'MRCGP, 2012',
        'DFSRH, 2013',
        'DipDerm, 2016',
      ],
      years: 14,
      about:
        'I have been a GP south of the river for fourteen years, and I still like the first question best: what is on your mind? I see people of all ages, with a particular interest in women’s health, the skin, and conditions you live with for a long time. You will not be hurried; we decide together what to do next, and I write it down for you in plain words. Early and late times are there for people who work, and follow-up visits can be by video.',
      practice: { name: 'Riverside Family Practice', address: '24 Chapel Street' },
    },
    {
      email: 'unverified@demo.example',
      specialty: 'dermatologist',
      area: /^M20 \d/,
      isVerified: false,
      sitter: { gender: 'male', tone: 2, older: false, cover: 'none' },
      firstName: 'Nikhil',
      lastName: 'Menon',
      languages: ['en', 'hi', 'ta'],
      qualifications: [
        'MBChB, University of Manchester, 2008',
        'MRCP (UK), 2012',
        'CCT in Dermatology, 2018',
      ],
      years: 8,
      about:
        'I look after adults and children with skin conditions in south Manchester, above all eczema, psoriasis and acne. I check moles every week and remove those that need it on the same day. I explain what I think and why, and you take a written plan home.',
      practice: { name: 'Willow Skin Clinic', address: '86 School Lane' },
    },
  ],
  usa: [
    {
      email: DEMO_US_PROVIDER,
      specialty: 'gp',
      area: /^78704$/,
      isVerified: true,
      sitter: { gender: 'male', tone: 1, older: false, cover: 'none' },
      firstName: 'Daniel',
      lastName: 'Rivera',
      languages: ['en', 'es'],
      qualifications: [
        'MD, Baylor College of Medicine, 2009',
        'Residency in family medicine completed 2012',
        'Board certified, American Board of Family Medicine',
      ],
      years: 14,
      about:
        'I am a family doctor in South Austin, and I see three generations of several families. My days go to check-ups, blood pressure and diabetes, sports injuries, and the worries people put off until they cannot. I speak English and Spanish, I order a test only when its answer would change what we do, and you will get a visit summary the same day. If travel is hard, we can begin by video.',
      practice: { name: 'Live Oak Family Medicine', address: '2110 Meadow Lane, Suite 120' },
    },
  ],
}

/** A provider before a place of work is assigned. */
export type Person = {
  region: Region
  /** Position among the providers of the region. */
  index: number
  id: string
  email: string
  title: string
  firstName: string
  lastName: string
  gender: Gender
  specialty: SpecialtyEntry
  facts: SpecialtyFacts
  body: 'GMC' | 'GDC' | 'NPI'
  membershipNumber: string
  qualifications: string[]
  /** Years in practice. */
  years: number
  languages: Language[]
  /** Name of the portrait. */
  picture: string
  isVerified: boolean
  /** Set for the accounts people sign in with. */
  fixed: FixedPerson | undefined
}

/** Fixed, so that a demo provider is the same person whenever the demo is set up. */
const THIS_YEAR = 2026
const UNVERIFIED_SHARE = 0.01
const OWN_CHOICES_SHARE = 0.12
const OLDER_FROM = 24

const GENDERS = [
  ['female', 51],
  ['male', 48],
  ['non_binary', 1],
] as const

function factsOf(specialty: SpecialtyEntry): SpecialtyFacts {
  const facts = SPECIALTY_FACTS[specialty.slug]
  if (facts === undefined) throw new Error(`no facts about ${specialty.slug}`)
  return facts
}

/** `count` specialties in proportion to their weights, each at least once, in shuffled order. */
function dealSpecialties(region: Region, count: number): SpecialtyEntry[] {
  const weights = specialties.map((entry) => factsOf(entry).weight[region])
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const spare = count - specialties.length
  const shares = specialties.map((entry, at) => {
    const exact = (spare * (weights[at] ?? 0)) / total
    return { entry, whole: Math.floor(exact), rest: exact % 1 }
  })
  const dealt = shares.flatMap(({ entry, whole }) => Array<SpecialtyEntry>(whole + 1).fill(entry))
  const byRest = shares.toSorted((a, b) => b.rest - a.rest)
  for (const { entry } of byRest.slice(0, count - dealt.length)) dealt.push(entry)
  const order = shuffled(randomFor(hash32(`specialties ${region}`)), dealt)
  for (const [at, slug] of FIXED_PEOPLE[region].map((fixed) => fixed.specialty).entries()) {
    const from = order.findIndex((entry, position) => position >= at && entry.slug === slug)
    const [moved] = order.splice(from, 1)
    if (moved !== undefined) order.splice(at, 0, moved)
  }
  return order
}

function titleOf(region: Region, gender: Gender, surgeon: { is: boolean; random: Random }): string {
  if (region === 'usa') return 'Dr.'
  if (!surgeon.is) return 'Dr'
  if (gender === 'male') return 'Mr'
  return gender === 'female' ? surgeon.random.pick(['Miss', 'Ms']) : 'Mx'
}

function languagesOf(random: Random, heritage: Heritage): Language[] {
  const spoken = heritage.languages
    .filter(([, likely]) => random.chance(likely))
    .map(([code]) => code)
  return ['en', ...spoken]
}

function pictureOf(
  random: Random,
  person: Pick<Person, 'gender' | 'years'> & { heritage: Heritage },
): string {
  const { heritage } = person
  const gender =
    person.gender === 'non_binary' ? random.pick(['female', 'male'] as const) : person.gender
  const tone = pickWeighted(random, heritage.tones)
  const scarf = gender === 'female' && random.chance(heritage.scarf ?? 0)
  const turban = gender === 'male' && random.chance(heritage.turban ?? 0)
  const cover = scarf ? 'scarf' : turban ? 'turban' : 'none'
  return choosePortrait({ gender, tone, older: person.years >= OLDER_FROM, cover }, random)
}

function nameFor(random: Random, heritage: Heritage, gender: Gender): [string, string] {
  const lists =
    gender === 'female'
      ? heritage.female
      : gender === 'male'
        ? heritage.male
        : [...heritage.female, ...heritage.male]
  return [random.pick(lists), random.pick(heritage.last)]
}

function emailLocalPart(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
}

/** A person's traits: given for fixed accounts, otherwise random. */
function characterOf(region: Region, index: number, random: Random) {
  const fixed = FIXED_PEOPLE[region][index]
  if (fixed !== undefined) {
    const { firstName, lastName, years, languages, isVerified, email, sitter } = fixed
    const picture = choosePortrait(sitter, random)
    const { gender } = sitter
    return { fixed, firstName, lastName, years, languages, isVerified, email, gender, picture }
  }
  const heritage = pickWeighted(random, HERITAGES[region])
  const gender: Gender = pickWeighted(random, GENDERS)
  const [firstName, lastName] = nameFor(random, heritage, gender)
  const years = random.between(4, 38)
  return {
    fixed,
    firstName,
    lastName,
    years,
    languages: languagesOf(random, heritage),
    isVerified: !random.chance(UNVERIFIED_SHARE),
    email: `${emailLocalPart(firstName)}.${emailLocalPart(lastName)}.${region}${index}@demo.example`,
    gender,
    picture: pictureOf(
      // For some the portrait is chosen apart, which leaves the rest of their traits as it always was.
      random.chance(OWN_CHOICES_SHARE) ? randomFor(hash32(`portrait ${region} ${index}`)) : random,
      { gender, years, heritage },
    ),
  }
}

function personAt(region: Region, index: number, specialty: SpecialtyEntry): Person {
  const key = `provider ${region} ${index}`
  const random = randomFor(hash32(key))
  const facts = factsOf(specialty)
  const character = characterOf(region, index, random)
  const body = region === 'usa' ? 'NPI' : specialty.ukBody
  const graduated = THIS_YEAR - character.years - random.between(2, 5)
  const qualifications = qualificationsFrom(random, graduated, { region, specialty, facts })
  return {
    ...character,
    region,
    index,
    id: idFrom('prv', key),
    title: titleOf(region, character.gender, { is: facts.isSurgeon === true, random }),
    specialty,
    facts,
    body,
    membershipNumber: membershipNumber(body, index),
    qualifications: character.fixed?.qualifications ?? qualifications,
  }
}

/** The providers of a region; the same count always gives the same ones. */
export function peopleOf(region: Region, count: number): Person[] {
  return dealSpecialties(region, count).map((specialty, index) =>
    personAt(region, index, specialty),
  )
}

import { DAY_MS } from '#contract/time.ts'
import { toJson } from '#db/columns.ts'
import type { PlaceRow, ProviderRow } from '#db/tables/profiles.ts'
import { writeAbout } from '#demo/people/about-text.ts'
import { type Person, peopleOf } from '#demo/people/people.ts'
import { privatePhone } from '#demo/people/phones.ts'
import { localSpelling } from '#demo/people/spelling.ts'
import { offerOf } from '#demo/practice/offer.ts'
import { fixedArea, type Practice, practiceOf } from '#demo/practice/practice.ts'
import { type DemoPlaces, drawAreas } from './areas.ts'
import { idFrom } from './ids.ts'
import { hash32, randomFor, shuffled } from './random.ts'

/** A provider ready to be written; numbers come from the database. */
export type Draft = {
  person: Person
  provider: Omit<ProviderRow, 'no' | 'photo'>
  place: Omit<PlaceRow, 'no' | 'provider_no'>
}

const FOR_CHILDREN = new Set(['paediatrician', 'childrens-dentist', 'child-psychiatrist'])

function professionOf(person: Person): string {
  const name = person.specialty.name[person.region]
  return name === 'GP' ? name : name.charAt(0).toLowerCase() + name.slice(1)
}

function aboutOf(person: Person, practice: Practice, offersVideo: boolean): string {
  if (person.fixed !== undefined) return localSpelling(person.fixed.about, person.region)
  const random = randomFor(hash32(`about ${person.region} ${person.index}`))
  return writeAbout(random, {
    region: person.region,
    called: `${person.title} ${person.lastName}`,
    gender: person.gender,
    profession: professionOf(person),
    topics: shuffled(random, person.facts.topics),
    locality: practice.locality.replace(/, [A-Z]{2}$/, ''),
    years: person.years,
    offersVideo,
    isForChildren: FOR_CHILDREN.has(person.specialty.slug),
  })
}

/** Nine in the morning UTC, this many days before `now`. */
function daysBefore(now: number, days: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS + 9 * 3_600_000
}

function draftOf(person: Person, practice: Practice, now: number): Draft {
  const offer = offerOf(person, practice)
  const random = randomFor(hash32(`dates ${person.region} ${person.index}`))
  const checked = random.between(12, 330)
  const createdAt = daysBefore(now, checked + random.between(2, 400))
  return {
    person,
    provider: {
      id: person.id,
      region: person.region,
      title: person.title,
      first_name: person.firstName,
      last_name: person.lastName,
      gender: person.gender,
      email: person.email,
      phone: privatePhone(
        randomFor(hash32(`phone ${person.region} ${person.index}`)),
        person.region,
      ),
      specialty_no: person.specialty.no,
      professional_body: person.body,
      membership_number: person.membershipNumber,
      verification_status: person.isVerified ? 'Verified' : 'Unverified',
      verified_at: person.isVerified ? daysBefore(now, checked) : null,
      about: aboutOf(person, practice, offer.offersVideo),
      qualifications: toJson(person.qualifications),
      languages: toJson(person.languages),
      offers_in_person: offer.offersInPerson ? 1 : 0,
      offers_video: offer.offersVideo ? 1 : 0,
      video_link: null,
      licensed_states: null,
      amount_minor: offer.amountMinor,
      follow_amount_minor: offer.followAmountMinor,
      currency: person.region === 'uk' ? 'GBP' : 'USD',
      consultation_minutes: offer.consultationMinutes,
      follow_up_policy: offer.followUpPolicy,
      free_cancel_hours: offer.freeCancelHours,
      late_cancel_percent: offer.lateCancelPercent,
      no_show_percent: offer.noShowPercent,
      // Stars come from reviews, and nobody has written one.
      rating_sum: 0,
      rating_count: 0,
      created_at: createdAt,
      updated_at: createdAt,
    },
    place: {
      id: idFrom('plc', `place ${person.region} ${person.index}`),
      position: 0,
      name: practice.name,
      address: practice.address,
      locality: practice.locality,
      postcode: practice.postcode,
      latitude: practice.latitude,
      longitude: practice.longitude,
      time_zone: practice.timeZone,
      phone: practice.phone,
      removed_at: null,
    },
  }
}

/** Everybody in the demo: always the same people; only dates depend on `now`. */
export function draftProviders(demoPlaces: DemoPlaces, count: number, now: number): Draft[] {
  return (['uk', 'usa'] as const).flatMap((region) => {
    const areas = region === 'uk' ? demoPlaces.sectors : demoPlaces.zips
    const random = randomFor(hash32(`areas ${region}`))
    // Drawn in the order of their codes; shuffled so that no specialty is concentrated in one county.
    const drawn = shuffled(random, drawAreas(random, areas, count))
    return peopleOf(region, count).map((person, index) => {
      const area = fixedArea(person, areas) ?? drawn[index]
      if (area === undefined) throw new Error('fewer areas than providers')
      return draftOf(person, practiceOf(person, area, demoPlaces.ukTowns), now)
    })
  })
}

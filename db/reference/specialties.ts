import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Region } from '#contract/base/region.ts'

/** One of the thirty specialties patients choose from. `no` and `slug` never change meaning. */
export type SpecialtyEntry = {
  no: number
  slug: string
  /** What patients call one practitioner of it. */
  name: Record<Region, string>
  plural: Record<Region, string>
  /** One sentence on what they treat, in words spelt alike in both countries. */
  about: string
  /** Who registers them in the UK; in the USA everybody has an NPI. */
  ukBody: Exclude<ProfessionalBody, 'NPI'>
  /** Taxonomy code of the National Uniform Claim Committee. */
  nucc: string
  /** The name on the GMC's GP or specialist register; empty for dentists, whom the GDC keeps. */
  gmc: string
}

/** A specialty spelt alike in both countries, with a regular plural. */
function sameInBoth(name: string): Pick<SpecialtyEntry, 'name' | 'plural'> {
  return named(name, name)
}

function named(uk: string, usa: string): Pick<SpecialtyEntry, 'name' | 'plural'> {
  return { name: { uk, usa }, plural: { uk: `${uk}s`, usa: `${usa}s` } }
}

function medical(gmc: string, nucc: string): Pick<SpecialtyEntry, 'ukBody' | 'gmc' | 'nucc'> {
  return { ukBody: 'GMC', gmc, nucc }
}

function dental(nucc: string): Pick<SpecialtyEntry, 'ukBody' | 'gmc' | 'nucc'> {
  return { ukBody: 'GDC', gmc: '', nucc }
}

/** In the order of `no`; lists for people sort by name. */
export const specialties: readonly SpecialtyEntry[] = [
  {
    no: 1,
    slug: 'gp',
    ...named('GP', 'Family doctor'),
    about: 'Everyday health for all ages, and the right place to start when you are not sure.',
    ...medical('General Practice', '207Q00000X'),
  },
  {
    no: 2,
    slug: 'dentist',
    ...sameInBoth('Dentist'),
    about: 'Check-ups, fillings, crowns, broken teeth and toothache.',
    ...dental('122300000X'),
  },
  {
    no: 3,
    slug: 'paediatrician',
    ...named('Paediatrician', 'Pediatrician'),
    about:
      'Babies, children and teenagers: growth, infections, allergies and long-term conditions.',
    ...medical('Paediatrics', '208000000X'),
  },
  {
    no: 4,
    slug: 'dermatologist',
    ...sameInBoth('Dermatologist'),
    about: 'Skin, hair and nails: acne, eczema, psoriasis, rashes and moles.',
    ...medical('Dermatology', '207N00000X'),
  },
  {
    no: 5,
    slug: 'gynaecologist',
    ...named('Gynaecologist', 'Gynecologist'),
    about: 'Periods, contraception, pregnancy, pelvic pain and the menopause.',
    ...medical('Obstetrics and gynaecology', '207V00000X'),
  },
  {
    no: 6,
    slug: 'psychiatrist',
    ...sameInBoth('Psychiatrist'),
    about: 'Depression, anxiety, ADHD, sleep and other mental health conditions in adults.',
    ...medical('General psychiatry', '2084P0800X'),
  },
  {
    no: 7,
    slug: 'cardiologist',
    ...sameInBoth('Cardiologist'),
    about: 'Heart and circulation: chest pain, palpitations, blood pressure and breathlessness.',
    ...medical('Cardiology', '207RC0000X'),
  },
  {
    no: 8,
    slug: 'ear-nose-throat',
    ...named('Ear, nose and throat specialist', 'Ear, nose and throat doctor'),
    about: 'Hearing, balance, sinuses, snoring, tonsils and the voice.',
    ...medical('Otolaryngology', '207Y00000X'),
  },
  {
    no: 9,
    slug: 'ophthalmologist',
    ...named('Ophthalmologist', 'Eye doctor'),
    about: 'Eye conditions: cataracts, glaucoma, dry eyes and changes in sight.',
    ...medical('Ophthalmology', '207W00000X'),
  },
  {
    no: 10,
    slug: 'orthopaedic-surgeon',
    ...named('Orthopaedic surgeon', 'Orthopedic surgeon'),
    about: 'Bones, joints and ligaments: knees, hips, shoulders, hands, feet and the back.',
    ...medical('Trauma and orthopaedic surgery', '207X00000X'),
  },
  {
    no: 11,
    slug: 'neurologist',
    ...sameInBoth('Neurologist'),
    about: 'Brain and nerves: migraine, epilepsy, numbness, tremor and memory.',
    ...medical('Neurology', '2084N0400X'),
  },
  {
    no: 12,
    slug: 'gastroenterologist',
    ...sameInBoth('Gastroenterologist'),
    about: 'Stomach, bowel and liver: heartburn, IBS, bleeding and screening tests.',
    ...medical('Gastroenterology', '207RG0100X'),
  },
  {
    no: 13,
    slug: 'endocrinologist',
    ...sameInBoth('Endocrinologist'),
    about: 'Hormones: diabetes, thyroid, weight, bone strength and the adrenal glands.',
    ...medical('Endocrinology and diabetes mellitus', '207RE0101X'),
  },
  {
    no: 14,
    slug: 'lung-specialist',
    ...named('Respiratory doctor', 'Pulmonologist'),
    about: 'Lungs and breathing: asthma, COPD, and a cough that will not go.',
    ...medical('Respiratory medicine', '207RP1001X'),
  },
  {
    no: 15,
    slug: 'rheumatologist',
    ...sameInBoth('Rheumatologist'),
    about: 'Painful or swollen joints, arthritis, gout, lupus and osteoporosis.',
    ...medical('Rheumatology', '207RR0500X'),
  },
  {
    no: 16,
    slug: 'urologist',
    ...sameInBoth('Urologist'),
    about: 'Kidneys, bladder and prostate, urinary infections, and men’s health.',
    ...medical('Urology', '208800000X'),
  },
  {
    no: 17,
    slug: 'allergist',
    ...named('Allergy specialist', 'Allergist'),
    about: 'Hay fever, hives, and reactions to food, medicines and stings.',
    ...medical('Allergy', '207K00000X'),
  },
  {
    no: 18,
    slug: 'kidney-specialist',
    ...named('Kidney specialist', 'Nephrologist'),
    about: 'Kidney function, stones, and blood pressure that is hard to control.',
    ...medical('Renal medicine', '207RN0300X'),
  },
  {
    no: 19,
    slug: 'haematologist',
    ...named('Haematologist', 'Hematologist'),
    about: 'The blood: low counts, clots, iron, and unexpected test results.',
    ...medical('Haematology', '207RH0000X'),
  },
  {
    no: 20,
    slug: 'geriatrician',
    ...sameInBoth('Geriatrician'),
    about: 'Later life: falls, memory, several conditions at once, and many medicines.',
    ...medical('Geriatric medicine', '207RG0300X'),
  },
  {
    no: 21,
    slug: 'sports-doctor',
    ...named('Sports doctor', 'Sports medicine doctor'),
    about: 'Sprains, strains, tendons and getting back to sport after an injury.',
    ...medical('Sport and exercise medicine', '207QS0010X'),
  },
  {
    no: 22,
    slug: 'general-surgeon',
    ...sameInBoth('General surgeon'),
    about: 'Hernias, gallstones, lumps and bumps, and the bowel.',
    ...medical('General surgery', '208600000X'),
  },
  {
    no: 23,
    slug: 'plastic-surgeon',
    ...sameInBoth('Plastic surgeon'),
    about: 'Repair and reconstruction, scars, skin lesions and hands.',
    ...medical('Plastic surgery', '208200000X'),
  },
  {
    no: 24,
    slug: 'vascular-surgeon',
    ...sameInBoth('Vascular surgeon'),
    about: 'Veins and arteries: varicose veins, leg ulcers and poor circulation.',
    ...medical('Vascular surgery', '2086S0129X'),
  },
  {
    no: 25,
    slug: 'orthodontist',
    ...sameInBoth('Orthodontist'),
    about: 'Braces and aligners for children and adults, and how the teeth meet.',
    ...dental('1223X0400X'),
  },
  {
    no: 26,
    slug: 'oral-surgeon',
    ...sameInBoth('Oral surgeon'),
    about: 'Wisdom teeth, implants, jaw pain and teeth that are hard to remove.',
    ...dental('1223S0112X'),
  },
  {
    no: 27,
    slug: 'childrens-dentist',
    ...named('Children’s dentist', 'Pediatric dentist'),
    about: 'Gentle dental care for children, also for those who are worried or need extra time.',
    ...dental('1223P0221X'),
  },
  {
    no: 28,
    slug: 'gum-specialist',
    ...named('Gum specialist', 'Periodontist'),
    about: 'Bleeding or receding gums, loose teeth and care around implants.',
    ...dental('1223P0300X'),
  },
  {
    no: 29,
    slug: 'internal-medicine',
    ...named('General physician', 'Internist'),
    about: 'Adults with symptoms that are hard to place or with several conditions at once.',
    ...medical('General (internal) medicine', '207R00000X'),
  },
  {
    no: 30,
    slug: 'child-psychiatrist',
    ...sameInBoth('Child psychiatrist'),
    about: 'Mood, worry, autism and ADHD in children and teenagers.',
    ...medical('Child and adolescent psychiatry', '2084P0804X'),
  },
]

const byNo = new Map(specialties.map((entry) => [entry.no, entry]))
const bySlug = new Map(specialties.map((entry) => [entry.slug, entry]))

/** The specialty of a database row; throws for an unknown number, which is a defect. */
export function specialtyByNo(no: number): SpecialtyEntry {
  const entry = byNo.get(no)
  if (entry === undefined) throw new Error(`no specialty ${no}`)
  return entry
}

/** The specialty behind a slug from a URL, or undefined when there is none. */
export function specialtyBySlug(slug: string): SpecialtyEntry | undefined {
  return bySlug.get(slug)
}

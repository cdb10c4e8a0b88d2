import type { Language } from '#contract/languages.ts'
import type { Region } from '#contract/region.ts'
import type { Sitter } from '#demo/pictures/portraits.ts'

/** A provider people can sign in as; described in full, since visitors look at them first. */
export type FixedPerson = {
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
export const FIXED_PEOPLE: Record<Region, readonly FixedPerson[]> = {
  uk: [
    {
      email: 'provider@demo.example',
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
      email: 'provider-us@demo.example',
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

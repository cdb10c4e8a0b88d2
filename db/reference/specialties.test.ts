import { expect, test } from 'vitest'
import { SpecialtySlug } from '#contract/search.ts'
import { specialties, specialtyByNo, specialtyBySlug } from './specialties.ts'

test('there are thirty, numbered 1 to 30 in order, each with a slug of its own', () => {
  expect(specialties.map((entry) => entry.no)).toEqual(
    Array.from({ length: 30 }, (_, at) => at + 1),
  )
  expect(new Set(specialties.map((entry) => entry.slug)).size).toBe(30)
  expect(specialties.filter(({ slug }) => !SpecialtySlug.safeParse(slug).success)).toEqual([])
})

test('every name differs from the others of its region', () => {
  for (const region of ['uk', 'usa'] as const) {
    expect(new Set(specialties.map((entry) => entry.name[region])).size).toBe(30)
    expect(new Set(specialties.map((entry) => entry.plural[region])).size).toBe(30)
  }
})

test('each has its own taxonomy code, ten characters ending in X', () => {
  expect(new Set(specialties.map((entry) => entry.nucc)).size).toBe(30)
  for (const { nucc } of specialties) expect(nucc).toMatch(/^(?:20|12)\d[0-9A-Z]{6}X$/)
})

test('doctors have the name of a GMC register, dentists none', () => {
  for (const { slug, ukBody, gmc, nucc } of specialties) {
    expect([slug, gmc === '', nucc.startsWith('122')]).toEqual([
      slug,
      ukBody === 'GDC',
      ukBody === 'GDC',
    ])
  }
})

test('the description is one sentence in words spelt alike in both countries', () => {
  for (const { about } of specialties) {
    expect(about).toMatch(/^[A-Z][^.]*\.$/)
    expect(about).not.toMatch(
      /colour|aemia|paed|gynae|haem|oesoph|tumour|behavio|apnoea|center|centre/,
    )
  }
})

test('a number or a slug finds its entry', () => {
  expect(specialtyByNo(2).slug).toBe('dentist')
  expect(specialtyBySlug('dentist')?.no).toBe(2)
  expect(specialtyBySlug('witch-doctor')).toBeUndefined()
  expect(() => specialtyByNo(31)).toThrow('no specialty 31')
})

import { expect, test } from 'vitest'
import { randomFor } from '#demo/random.ts'
import { writeAbout } from './about-text.ts'

const subject = {
  region: 'uk',
  called: 'Dr Okafor',
  gender: 'male',
  profession: 'endocrinologist',
  topics: ['diabetes', 'thyroid disease', 'osteoporosis'],
  locality: 'Leeds',
  years: 12,
  offersVideo: true,
  isForChildren: false,
} as const

const texts = Array.from({ length: 400 }, (_, no) => writeAbout(randomFor(no), subject))

test('a biography has three to five whole sentences, none twice', () => {
  const odd = texts.filter((text) => {
    const sentences = text.split(/(?<=[.?!])\s/)
    return (
      sentences.length < 3 || sentences.length > 5 || new Set(sentences).size < sentences.length
    )
  })
  expect(odd).toEqual([])
})

test('no placeholder is left, and no article is wrong', () => {
  expect(texts.filter((text) => /[{}]|undefined| {2}|\ba endocrin/.test(text))).toEqual([])
})

test('ten biographies on a page differ', () => {
  for (let page = 0; page < 40; page += 1) {
    const openings = texts.slice(page * 10, page * 10 + 10).map((text) => text.slice(0, 40))
    expect(new Set(openings).size).toBeGreaterThanOrEqual(5)
  }
  expect(new Set(texts).size).toBeGreaterThan(380)
})

test('it is in the first person or the third, not both', () => {
  const mixed = texts.filter(
    (text) => /\b(?:I|me|my)\b/.test(text) && /Dr Okafor|\b(?:he|his)\b/i.test(text),
  )
  expect(mixed).toEqual([])
})

test('American texts use American spelling', () => {
  const american = Array.from({ length: 400 }, (_, no) =>
    writeAbout(randomFor(no), {
      ...subject,
      region: 'usa',
      topics: ['piles', 'skin of colour', 'squints'],
    }),
  ).join(' ')
  expect(american).not.toMatch(/practise|neighbour|colour|\blift\b|piles|squints/)
  expect(american).toContain('with an elevator')
  expect(american).toContain('skin of color')
})

import { expect, test } from 'vitest'
import type { OfferedVisitType, VisitMode } from '#contract/search.ts'
import { chosenType, requestedMode, typeParam } from './visit-type-picker.tsx'

function type(digit: number, modes: VisitMode[] = ['in_person']): OfferedVisitType {
  const fee = { minor: 6_000, currency: 'GBP' } as const
  const id = `vtp_${String(digit).repeat(26)}`
  return { id, name: `Type ${digit}`, minutes: 30, fee, followUpFee: fee, modes, place: null }
}

const [first, second, never] = [type(1), type(2, ['video', 'in_person']), type(3, [])]
const profile = { visitTypes: [first, second, never] }

test('a provider with one type is not asked about it', () => {
  expect(chosenType({ visitTypes: [first] }, { type: second.id })).toBeUndefined()
})

test('the type in the address is chosen; the first where it names none that can be had', () => {
  expect(chosenType(profile, { type: second.id })).toBe(second)
  for (const id of [undefined, `vtp_${'9'.repeat(26)}`, never.id]) {
    expect(chosenType(profile, { type: id })).toBe(first)
  }
})

test('with a mode and no type in the address it is the first type that takes place so', () => {
  expect(chosenType(profile, { mode: 'video' })).toBe(second)
  expect(chosenType(profile, { mode: 'in_person' })).toBe(first)
  expect(chosenType(profile, { type: first.id, mode: 'video' })).toBe(first)
  expect(chosenType({ visitTypes: [first, never] }, { mode: 'video' })).toBe(first)
})

test('a first type that takes place in no mode is not chosen, and the one instead is named', () => {
  const withdrawn = { visitTypes: [never, second] }
  expect(chosenType(withdrawn, {})).toBe(second)
  expect(chosenType(withdrawn, { mode: 'in_person' })).toBe(second)
  expect(typeParam(withdrawn, second)).toBe(second.id)
})

test('the first type needs no name in the address', () => {
  expect(typeParam(profile, first)).toBeUndefined()
  expect(typeParam(profile, second)).toBe(second.id)
  expect(typeParam(profile, undefined)).toBeUndefined()
})

test('a way is asked for where the type can be had so', () => {
  expect(requestedMode(second, 'video')).toBe('video')
  expect(requestedMode(first, 'video')).toBeUndefined()
  expect(requestedMode(first, undefined)).toBeUndefined()
})

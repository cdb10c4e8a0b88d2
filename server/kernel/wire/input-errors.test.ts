import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ContactInput } from '#contract/messages.ts'
import { SearchFilters } from '#contract/search.ts'
import { inputRefusal } from './input-errors.ts'

function refusalOf(schema: z.ZodMiniType, input: unknown) {
  const parsed = z.safeParse(schema, input)
  if (parsed.success) throw new Error('the input was accepted')
  const { code, issues } = inputRefusal(parsed.error)
  return { code, issues }
}

test('a message that is a code becomes the code, with its sentence for the field', () => {
  expect(refusalOf(SearchFilters, { radius: 7 })).toEqual({
    code: 'radius_invalid',
    issues: [{ path: 'radius', message: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.' }],
  })
})

test('unknown keys are named, cut short, and at most ten of them', () => {
  const input = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`${index}${'k'.repeat(1_000)}`, 1]),
  )
  const { code, issues } = refusalOf(SearchFilters, input)
  expect(code).toBe('unknown_field')
  expect(issues).toHaveLength(10)
  expect(issues[0]).toEqual({ path: `0${'k'.repeat(59)}`, message: 'Unknown field.' })
})

test('sentences of the contract go to their fields as they are', () => {
  const { code, issues } = refusalOf(ContactInput, {
    first_name: '',
    last_name: 'Lee',
    email: 'nobody',
    message: 'Can you see my son on Friday?',
  })
  expect(code).toBe('invalid_input')
  expect(issues).toEqual([
    { path: 'first_name', message: 'Enter your first name.' },
    { path: 'email', message: 'Enter a valid email address.' },
  ])
})

test('a field without words of its own gets a sentence too', () => {
  const { issues } = refusalOf(z.strictObject({ a: z.object({ b: z.string() }) }), { a: { b: 1 } })
  expect(issues).toEqual([{ path: 'a.b', message: 'Check the highlighted answers and try again.' }])
})

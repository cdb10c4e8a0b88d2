import { expect, test } from 'vitest'
import { isOwnPath } from './next-path.ts'

test.each([
  '/appointment/prv_01?region=uk&date=2026-03-03&time=09:00&distance=0.4',
  '/userProfile#visits',
  '/results?place=SE1%206ET',
])('%s is a path of this site', (path) => {
  expect(isOwnPath(path)).toBe(true)
})

test.each([
  '',
  'appointment',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/a\\..\\b',
  '/%0a\n/evil.example',
  'mailto:somebody@evil.example',
  '/verify/token',
  '/x/../verify/token',
  '/x/..//evil.example/../verify/t',
  '/reset-password/token',
  '/trpc/auth.signOut',
  '/',
  '/é',
  `/${'a'.repeat(300)}`,
])('%j is not', (path) => {
  expect(isOwnPath(path)).toBe(false)
})

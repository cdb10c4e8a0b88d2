import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  AddBankAccountInput,
  HIDDEN_DIGITS,
  isRoutingNumber,
  maskedNumber,
  RoutingNumber,
  SortCode,
  UkAccountNumber,
  UsAccountNumber,
} from './bank-accounts.ts'

/** Returns the error message for a text, or the digits that were understood. */
function read(schema: z.ZodMiniType<string>, text: string): string {
  const { data, error } = z.safeParse(schema, text)
  return error?.issues[0]?.message ?? data ?? ''
}

test('hides the first four digits, and all but the last four of long numbers', () => {
  expect(HIDDEN_DIGITS).toBe(4)
  expect(maskedNumber('31415926')).toBe('••••5926')
  expect(maskedNumber('314159')).toBe('••••59')
  expect(maskedNumber('3141')).toBe('••••')
  expect(maskedNumber('31415926535897932')).toBe('•••••••••••••7932')
})

test('ignores spaces, dashes and invisible characters from pasting', () => {
  for (const text of ['12-34-56', '12 34 56', ' 12–34—56 ', '12\u00a034\u00a056', '\u200b123456']) {
    expect(read(SortCode, text)).toBe('123456')
  }
  expect(read(UkAccountNumber, '3141 5926')).toBe('31415926')
  expect(read(RoutingNumber, '1110-0002-5')).toBe('111000025')
})

test.each([
  [SortCode, '', 'Enter the sort code.'],
  [SortCode, ' - ', 'Enter the sort code.'],
  [SortCode, '12-34-5', 'A sort code has 6 digits, such as 12-34-56.'],
  [SortCode, '12-34-567', 'A sort code has 6 digits, such as 12-34-56.'],
  [SortCode, '12-34-5O', 'A sort code can contain only digits. Spaces and dashes are fine.'],
  [SortCode, '00-00-00', 'Enter a valid sort code.'],
  [UkAccountNumber, '', 'Enter the account number.'],
  [
    UkAccountNumber,
    '314159',
    'An account number in the UK has 8 digits. If yours has fewer, put zeros in front.',
  ],
  [UkAccountNumber, '314159265', 'An account number in the UK has 8 digits.'],
  [
    UkAccountNumber,
    '3141592x',
    'An account number can contain only digits. Spaces and dashes are fine.',
  ],
  [
    UkAccountNumber,
    '٣١٤١٥٩٢٦',
    'An account number can contain only digits. Spaces and dashes are fine.',
  ],
  [UkAccountNumber, '00000000', 'Enter a valid account number.'],
  [RoutingNumber, '11100002', 'A routing number has 9 digits.'],
  [UsAccountNumber, '314', 'An account number in the USA has 4 to 17 digits.'],
  [UsAccountNumber, '3'.repeat(18), 'An account number in the USA has 4 to 17 digits.'],
])('invalid number %# is refused with a message', (schema, text, message) => {
  expect(read(schema, text)).toBe(message)
})

test('a routing number with one wrong digit or two swapped neighbours is refused', () => {
  const right = '111000025'
  expect(isRoutingNumber(right)).toBe(true)
  expect(read(RoutingNumber, '111000026')).toMatch(/^This isn’t a valid routing number/)
  for (let at = 0; at < right.length; at += 1) {
    for (let digit = 0; digit <= 9; digit += 1) {
      const changed = right.slice(0, at) + String(digit) + right.slice(at + 1)
      expect(isRoutingNumber(changed)).toBe(changed === right)
    }
  }
  // With weights 3, 7, 1, swapping two neighbours that differ by five keeps the checksum.
  expect(isRoutingNumber('121000358')).toBe(true)
  expect(isRoutingNumber('121003058')).toBe(false)
})

test('routing numbers that were never assigned are refused, whatever their checksum', () => {
  for (const number of ['000000000', '000000019', '130000006', '500000005', '990000007']) {
    expect([number, isRoutingNumber(number)]).toEqual([number, false])
  }
})

test('an account number typed into the name is refused', () => {
  const input = {
    region: 'uk',
    key: '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d',
    sort_code: '123456',
    account_number: '31415926',
  }
  const said = (name: string) =>
    z.safeParse(AddBankAccountInput, { ...input, name }).error?.issues[0]?.message
  expect(said('Amara Okafor 3141 5926')).toBe('Enter only the name here, not the account number.')
  expect(said('  ')).toBe('Enter the name on the account.')
  expect(said('x'.repeat(71))).toBe('Use 70 characters or fewer.')
  expect(said('Practice 21, Okafor & Söhne')).toBeUndefined()
})

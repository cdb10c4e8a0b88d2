import { expect, test } from 'vitest'
import { readSearch } from './payments.ts'

test.for([
  ['AP-7K3M-2Q', { reference: 'AP-7K3M-2Q' }],
  [' ap 7k3m 2q ', { reference: 'AP-7K3M-2Q' }],
  ['maya@mail.example', { email: 'maya@mail.example' }],
  ['cs_test_a1B2c3', { gateway: 'cs_test_a1B2c3' }],
  ['pi_3QxYz', { gateway: 'pi_3QxYz' }],
  ['5O190127TN364715T', { gateway: '5O190127TN364715T' }],
  ['Maya Ellis', { name: 'Maya Ellis' }],
  ['Featherstonehaugh', { name: 'Featherstonehaugh' }],
  ['M', {}],
  ['  ', {}],
] as const)('the kind of a search term is recognized by its form: %s', ([typed, search]) => {
  expect(readSearch(typed)).toEqual(search)
})

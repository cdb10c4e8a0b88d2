import { expect, test } from 'vitest'
import { Email } from './emails.ts'

const messages = (typed: string) => Email.safeParse(typed).error?.issues.map((one) => one.message)

test.each([
  ['Ann@Mail.Example', 'ann@mail.example'],
  ['  ann@x.org \u00a0', 'ann@x.org'],
  ['\u202aann@x.org\u202c', 'ann@x.org'],
  ['\ufeffann@x.org\u200b', 'ann@x.org'],
  ['ann@x.org.', 'ann@x.org'],
  ['ann@x.org,', 'ann@x.org'],
  ['mailto:ann@x.org', 'ann@x.org'],
  ['MAILTO:ann@x.org?subject=Hello', 'ann@x.org'],
  ['<ann@x.org>', 'ann@x.org'],
  ['Ann Lee <ann@x.org>', 'ann@x.org'],
  ['"Lee, Ann" <Ann@X.org>;', 'ann@x.org'],
  ['“ann@x.org”', 'ann@x.org'],
  ["o'brien+news@x.org", "o'brien+news@x.org"],
  ['a.b-c_d@a-b.co.uk', 'a.b-c_d@a-b.co.uk'],
  ['ann@Bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@XN--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
  ['ann@xn--e1afmkfd.xn--p1ai', 'ann@xn--e1afmkfd.xn--p1ai'],
  [`${'a'.repeat(64)}@x.org`, `${'a'.repeat(64)}@x.org`],
])('%j is the address %s', (typed, stored) => {
  expect(Email.parse(typed)).toBe(stored)
  expect(Email.parse(stored)).toBe(stored)
})

test.each([
  '.ann@x.org',
  'ann.@x.org',
  'an..n@x.org',
  `${'a'.repeat(65)}@x.org`,
  'ann',
  '@x.org',
  'ann@',
  'ann@-x.org',
  'ann@x-.org',
  'ann@x..org',
  'ann@.org',
  `ann@${'x'.repeat(64)}.org`,
  `ann@${`${'x'.repeat(60)}.`.repeat(4)}org1`,
  'ann@x.o',
  'ann@x.123',
  'ann@x_y.org',
  'ann lee@x.org',
  'ann@x.org\r\nBcc: b@x.org',
  'ann@x.org\nBcc: <b@x.org>',
  'a@x.org, b@x.org',
  'an\u212A@x.org',
  'ann@\u212Aelvin.org',
  'ann\uff20x.org',
  'an\u200bn@x.org',
  'ann@x\u200b.org',
  'ann@xn--\u0131.org',
  'usr_x@erased.invalid',
])('%j is not a valid address', (typed) => {
  expect(messages(typed)).toEqual(['Enter a valid email address.'])
})

test('a valid address that is not accepted is not called invalid', () => {
  expect(messages('"ann lee"@x.org')).toEqual(['Enter an email address without quotation marks.'])
  for (const typed of ['ann@[192.0.2.1]', 'ann@localhost', 'ann@192.0.2.1', 'ann@[IPv6:::1]']) {
    expect(messages(typed)).toEqual([
      'Enter an email address with a domain, such as name@example.org.',
    ])
  }
})

test('an address has at most 254 characters, counted after what was pasted along is gone', () => {
  const domain = `${'x'.repeat(61)}.`.repeat(3)
  const longest = `${'a'.repeat(64)}@${domain}org`
  expect(longest).toHaveLength(254)
  expect(Email.parse(`Ann Lee <${longest}>`)).toBe(longest)
  expect(messages(`${'a'.repeat(64)}@${domain}info`)).toEqual(['Enter a valid email address.'])
})

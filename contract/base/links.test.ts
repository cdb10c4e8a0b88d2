import { expect, test } from 'vitest'
import { hasLink, withoutLinks } from './links.ts'
import { DeskName, PersonName } from './person-names.ts'

const links = [
  'Dr Free-Pills.com',
  'Visit evil.example.org now',
  'https://evil.test/x',
  'HTTP://1.2.3.4',
  'www.evil.zz',
  'Call mailto:a@b.co',
  'me@evil.com',
  'Clinic evil.co.uk',
  'bit.ly/3xY',
  't.me/pills',
  'St.Li/pay',
  'évil.fr',
  'пример.рф',
  '例子.中国',
  'xn--e1afmkfd.xn--p1ai',
  'evil．com',
  'evil。com',
  'evil[.]com',
  'evil (.) com',
  'evil dot com',
  'evil (dot) com',
  'Evil DOT Net',
  'hxxp://evil',
  '203.0.113.9',
]

const plain = [
  'Ada Lovelace',
  'Dr.Li',
  'St.Mary’s Surgery',
  'St. John’s Wood',
  'J.R. Tolkien',
  'J.R.R.Tolkien',
  'B.Sc',
  'M.D.',
  'O’Connor-Smith Jr.',
  'Dot Comer',
  'Unit 1.02, Block B',
  '12.5 High Street',
  'Suite 1/2, 20 Main St.',
  'Borough Practice, No.5',
  'Mr & Mrs Brown',
  'Gal·la',
  '020 7946 0123',
  'Health at Home (UK) Ltd.',
]

test.for(links)('%s holds a link, which an email can do without', (text) => {
  expect(hasLink(text)).toBe(true)
  const kept = withoutLinks(text)
  if (!/dot/i.test(text)) expect(hasLink(kept)).toBe(false)
})

test.for(plain)('%s holds none and stays as it is', (text) => {
  expect(hasLink(text)).toBe(false)
  expect(withoutLinks(text)).toBe(text)
})

test('names with a link are refused with a sentence that says how to write them', () => {
  const name = PersonName('Enter your first name.')
  expect(name.safeParse('evil.com').error?.issues[0]?.message).toBe(
    'Leave out web and email addresses. Put a space after a full stop.',
  )
  expect(name.safeParse('J. Li').success).toBe(true)
  expect(DeskName('Enter a name.').safeParse('Bob (evil.com/1)').success).toBe(false)
})

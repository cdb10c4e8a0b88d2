import { PASSWORD } from '#tests/harness/accounts.ts'

/** Texts that are valid somewhere; the schema decides which of them fit. */
export const PLAUSIBLE = [
  ['Maya', 'Ellis', 'Dr Amara Okafor', 'Ó Súilleabháin', 'A cough that will not go away'],
  ['SE1 6ET', 'SE1', 'EH8 8DX', 'GIR 0AA', '90210', '10001-1234', 'Gaza', 'London'],
  ['maya@mail.example', 'A.B+c@mail.example', 'wanda@xn--bcher-kva.example'],
  ['+44 20 7946 0123', '020 7946 0123', '07700 900123', '(212) 555-0147'],
  ['2026-03-02', '2024-02-29', '2023-02-29', '1900-01-01', '9999-12-31', '1988-04-17'],
  ['2026-03-03T09:00:00Z', '2026-03-29T01:30:00.000Z', '2026-10-25T01:30:00+01:00'],
  ['09:00', '23:59', '24:00', '00:00', '2026-03', 'Europe/London', 'America/New_York'],
  ['0', '1', '10', '25', '-1', '3.4', '60', '6000', '123456', '000000'],
  ['uk', 'usa', 'en', 'en-GB', 'GBP', 'patient', 'provider', 'true', 'false', 'on'],
  ['GMC', 'GDC', 'NPI', '7000001', '01234567', 'Verified', 'Unverified', 'editor'],
  ['general-practice', 'dentist', 'distance', 'price', 'asc', 'desc', 'stripe', 'paypal'],
  ['#0f766e', '20-00-00', '12345678', '021000021', 'GB29NWBK60161331926819'],
  ['A'.repeat(43), '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d', PASSWORD, 'a boat on the river'],
  ['Sophie\nBox 7', 'I see people of every age and take the time it needs.'],
].flat()

/** Texts that break careless code. None of them looks like a leak. */
export const NASTY = [
  ['', ' ', '\0', 'a\0b', '\uD800', 'a\uDFFFb', '\uFEFF', '\u202Eabc', '\u200B', '\u{1F9B7}'],
  ["' or '1'='1", '"; --', "'); drop table x; --", '%', '_', '\\', '%27', '%00', '*/*'],
  ['<script>alert(1)</script>', '{{7*7}}', '${7*7}', '=1+1', '../../../etc/passwd', 'C:\\x'],
  ['a\r\nset-cookie: a=b', 'a\nb', '\t', '\u0007', '\u007F', 'é', 'e\u0301', 'İ', 'ß', 'ﬀ'],
  ['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'Infinity', '[object]'],
  ['1e309', '-0', '0x10', '１２３', '9007199254740993', '99999999999999999999', '1_000', '+1'],
  ['-9223372036854775809', '0.1', '1,5', '2026-02-30', '2026-13-01', '+275760-09-13', '-000001'],
  ['2026-03-03T25:00:00Z', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01'],
  ['x@y', 'a@b@c.example', '"a b"@mail.example', 'a@[127.0.0.1]', 'ä@mail.example'],
  ['x'.repeat(10_000), 'é'.repeat(300), '\u{1F9B7}'.repeat(200), '('.repeat(500)],
  ['a'.repeat(50).concat('!'), ' '.repeat(2_000).concat('x'), 'http://127.0.0.1:1/', 'data:,x'],
].flat()

/** Numbers at the limits of number types. */
export const NUMBERS = [
  [0, -0, 1, -1, 2, 10, 30, 100, 0.5, 1e-9, 1.000_000_1, 59, 61, 1_440, 6_000],
  [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, -(2 ** 63)],
  [1e21, 1e308, -1e308, Number.MIN_VALUE, Date.parse('2026-03-03T09:00:00Z'), 8.64e15 + 1],
].flat()

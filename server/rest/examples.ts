import type { Example, RestCall } from './call.ts'

/** Sample ids in the right format, for documents that are read and not run. */
const SAMPLES: Readonly<Record<string, string>> = {
  $USER_ID: `usr_${'0'.repeat(26)}`,
  $PROVIDER: `prv_${'0'.repeat(26)}`,
  $ACCOUNT: `bnk_${'0'.repeat(26)}`,
  $DATE: '02/03/2026',
  $TIME: '14:30',
  $CODE: '123456',
  $ORDER: '5O190127TN364715T',
  $SESSION: 'cs_test_1',
  $MEMBER: `usr_${'1'.repeat(26)}`,
  $PROOF: 'eyJjaGFsbGVuZ2UiOnt9fQ==',
  $AMOUNT: '60.00',
  $VISIT: `apt_${'0'.repeat(26)}`,
  $DESK_VISIT: `dsk_${'0'.repeat(26)}`,
  $LINK: `cal_${'0'.repeat(26)}`,
  $REFUND: '60.00',
  $NEW_DATE: '03/03/2026',
  $NEW_TIME: '10:30',
}

function filled(value: unknown): unknown {
  if (typeof value === 'string') return SAMPLES[value] ?? value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]))
}

/** The example of a call with sample values in place of shell variables. */
export function filledExample({ example }: RestCall): Pick<Example, 'answer'> & { body?: unknown } {
  const { body, answer } = example
  return body === undefined ? { answer } : { answer, body: filled(body) }
}

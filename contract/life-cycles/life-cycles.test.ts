import { expect, test } from 'vitest'
import { claimLife } from './claim.ts'
import { lifeCycle, type Party } from './life-cycle.ts'
import { paymentLife } from './payment.ts'
import { refundLife } from './refund.ts'
import { companyLife, proofLife, verificationLife } from './verification.ts'
import { visitLife } from './visit.ts'

type Life = {
  events: Record<string, { from: readonly string[]; to: string; by: readonly Party[] }>
}

const LIVES: Record<string, Life> = {
  Visit: visitLife,
  Payment: paymentLife,
  Refund: refundLife,
  Verification: verificationLife,
  'Proof of identity': proofLife,
  Company: companyLife,
  'Contested no-show': claimLife,
}

const page = `# Life cycles

Made from \`contract/life-cycles/\` by its test; \`vitest run --project server contract/life-cycles -u\` renews it.
Beside each event: who causes it.
`

function diagramOf({ events }: Life): string {
  const lines = Object.entries(events).flatMap(([event, { from, to, by }]) =>
    (from.length === 0 ? ['[*]'] : from).map(
      (one) => `  ${one} --> ${to}: ${event} (${by.join(', ')})`,
    ),
  )
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

test('the diagrams in the documentation are those of the tables', async () => {
  const parts = Object.entries(LIVES).map(([name, life]) => `\n## ${name}\n${diagramOf(life)}\n`)
  await expect(page + parts.join('')).toMatchFileSnapshot('../../docs/life-cycles.md')
})

const BY: readonly Party[] = ['system']

test('a table with a state that no event leads to is refused at once', () => {
  const start = { from: [], to: 'open', by: BY } as const
  const end = { from: ['half'], to: 'closed', by: BY } as const
  expect(() => lifeCycle(['open', 'closed'], { start })).toThrow(
    'No event leads to the state closed',
  )
  expect(() => lifeCycle(['open', 'half', 'closed'], { start, end })).toThrow('the state half')
  expect(() => lifeCycle(['open'], { start: { ...start, by: [] } })).toThrow('Nobody causes')
})

test('an event may happen in its states only, and be caused by those named', () => {
  expect(visitLife.may('cancel', 'confirmed', 'patient')).toBe(true)
  expect(visitLife.may('cancel', 'confirmed', 'visitor')).toBe(false)
  expect(visitLife.may('cancel', 'not_held')).toBe(false)
  expect(refundLife.may('failed', 'done')).toBe(true)
  expect(refundLife.may('pending', 'done')).toBe(false)
})

import type { ErrorDetails } from './error-table.ts'

/** What a register says about somebody who may not practise; follows "the register". */
const registrationStatusText = new Map([
  ['conditions', 'has conditions on the registration'],
  ['provisional', 'has the registration as provisional'],
  ['no_licence', 'has the registration without a licence to practise'],
  ['suspended', 'has the registration as suspended'],
  ['struck_off', 'has ended the registration'],
  ['not_registered', 'does not show them as registered'],
  ['deactivated', 'has deactivated the number'],
])

/** Why a register does not support a claim, from the differences and the status in the details. */
export function registerMismatchText(details: ErrorDetails): string {
  const { body } = details
  const register = body === undefined ? 'The register' : `The ${body} register`
  if (details['outcome'] === 'not_found') return `${register} has no such number.`
  const found = String(details['differences']).split(' ')
  const parts: string[] = []
  if (found.includes('number')) parts.push('has another number')
  if (found.includes('name')) parts.push('has another name with this number')
  if (found.includes('standing')) {
    parts.push(
      registrationStatusText.get(String(details['standing'])) ??
        'says something we don’t recognise',
    )
  }
  return `${register} ${parts.join(' and ') || 'doesn’t confirm this'}.`
}

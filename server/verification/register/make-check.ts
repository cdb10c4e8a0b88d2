import type { ProfessionalBody } from '#contract/people.ts'
import { toIso } from '#contract/time.ts'
import { type Difference, RegisterCheck } from '#contract/verification.ts'
import { parseJson, toJson } from '#db/columns.ts'
import type { CheckRow } from '#db/tables/verification.ts'
import type { RegisterAnswer } from '#server/gateways/registers.ts'
import { compare } from '#server/verification/rules.ts'

type Claimed = {
  no: number
  first_name: string
  last_name: string
  body: ProfessionalBody
  membership_number: string
}

type Making = Pick<CheckRow, 'id' | 'kind' | 'at' | 'actor_kind' | 'actor_id'>

/** A register check as stored: the claim, the register's entry, the differences and the outcome. */
export function makeCheck(
  claimed: Claimed,
  answer: RegisterAnswer | null,
  making: Making,
): Omit<CheckRow, 'no'> {
  const claim = {
    name: `${claimed.first_name} ${claimed.last_name}`,
    registration_number: claimed.membership_number,
  }
  const { outcome, differences } = compare(claim, answer)
  return {
    ...making,
    provider_no: claimed.no,
    body: claimed.body,
    claimed_number: claim.registration_number,
    claimed_name: claim.name,
    answer_number: answer?.registration_number ?? null,
    answer_name: answer?.name ?? null,
    standing: answer?.standing ?? null,
    status_text: answer?.status_text ?? null,
    source: answer?.source ?? '',
    outcome,
    differences: toJson(differences),
    decision: null,
    reason: null,
  }
}

/** A stored register check as shown to its provider. */
export function showCheck(row: Omit<CheckRow, 'no'>): RegisterCheck {
  const isThere = row.answer_number !== null && row.standing !== null
  return RegisterCheck.parse({
    id: row.id,
    checkedAt: toIso(row.at),
    outcome: row.outcome,
    differences: parseJson<Difference[]>(row.differences),
    claimed: { name: row.claimed_name, registration_number: row.claimed_number },
    answer: isThere
      ? {
          name: row.answer_name,
          registration_number: row.answer_number,
          standing: row.standing,
          status_text: row.status_text,
        }
      : null,
  })
}

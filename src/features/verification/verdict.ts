import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { LossReason, OwnVerification, RegistrationStatus } from '#contract/verification.ts'

type BodyLabels = {
  register: string
  /** Name of the registration number. */
  number: string
  /** The status the register must show. */
  needed: string
}

/** Common names of the registers. */
export const bodyLabels: Record<ProfessionalBody, BodyLabels> = {
  GMC: {
    register: 'GMC register',
    number: 'GMC number',
    needed: 'Registered with a licence to practise',
  },
  GDC: { register: 'GDC register', number: 'GDC number', needed: 'Registered' },
  NPI: { register: 'NPI registry', number: 'NPI', needed: 'Active' },
}

/** Explains a registration status that is not good. */
const standingText: Record<RegistrationStatus, string> = {
  good: '',
  conditions: 'There are conditions on the registration.',
  provisional: 'The registration is provisional.',
  no_licence: 'The registration doesn’t include a licence to practise.',
  suspended: 'The registration is suspended.',
  struck_off: 'The registration has ended.',
  not_registered: 'The register doesn’t show you as registered.',
  deactivated: 'The number has been deactivated.',
  unknown: 'The register shows a status we don’t recognise.',
}

const lossText: Record<LossReason, string> = {
  standing: 'The register no longer shows that you may practise.',
  vanished: 'Two nights running, your number wasn’t in the register.',
  renamed: 'Two nights running, the register had a different name for your number.',
}

export type Verdict = {
  kind: 'ok' | 'info' | 'warn' | 'danger'
  title: string
  text: string
  /** The provider can correct it in the profile. */
  isInProfile?: true
}

function afterCheck({ check, provider }: OwnVerification): Verdict | null {
  if (check === null) return null
  const { register, number } = bodyLabels[provider.professional_body_name]
  switch (check.outcome) {
    case 'match':
      return {
        kind: 'ok',
        title: 'It all matches',
        text: 'Our staff decide next. Registrations that match come first.',
      }
    case 'not_found':
      return {
        kind: 'warn',
        title: `We couldn’t find this number in the ${register}`,
        text: `If the ${number} is mistyped, correct it in your profile, then check again. New numbers can take some days to appear.`,
        isInProfile: true,
      }
    case 'differs':
      return {
        kind: 'warn',
        title: `Your details don’t match the ${register}`,
        text: `Enter your name in your profile exactly as it appears in the register, then check again. If the register is out of date, ask them to update it. ${standingText[check.answer?.standing ?? 'good']}`.trim(),
        isInProfile: true,
      }
    case 'not_in_standing':
      return {
        kind: 'warn',
        title: `The ${register} doesn’t say “${bodyLabels[provider.professional_body_name].needed}”`,
        text: `${standingText[check.answer?.standing ?? 'unknown']} We can’t list you until that changes. If it already has, check again tomorrow.`,
      }
  }
}

function requestVerdict({ asked: open }: OwnVerification): Verdict | null {
  if (open === null) return null
  return {
    kind: 'warn',
    title: 'Our staff need something from you',
    text: open.what,
  }
}

/** The message above everything else; null while there is nothing to say. */
export function verdictOf(verification: OwnVerification): Verdict | null {
  const { state, reason, lostBecause } = verification
  switch (state) {
    case 'verified':
      return {
        kind: 'ok',
        title: 'You are Verified',
        text: 'Patients can find you. We check the register every night.',
      }
    case 'refused':
      return {
        kind: 'danger',
        title: 'We couldn’t confirm your registration',
        text: reason ?? 'Write to us to find out why.',
      }
    case 'lost':
      return {
        kind: 'danger',
        title: 'Your profile is hidden for now',
        text: `${lossText[lostBecause ?? 'standing']} Visits already booked stay booked. Ask the register to correct it, then check again.`,
      }
    case 'waiting':
      return requestVerdict(verification) ?? afterCheck(verification)
  }
}

/** Updates the cached verification: every write of this module returns the current one. */
export function useStoreVerification(): (now: OwnVerification) => void {
  const utils = trpc.useUtils()
  return useCallback((now) => utils.verification.mine.setData({}, now), [utils])
}

/** The steps to becoming Verified. */
export const STEPS = ['Email', 'Registration', 'Company'] as const

export type VerifyStep = (typeof STEPS)[number]

/** The steps that need nothing more from the provider. */
export function doneSteps({ check, state, company }: OwnVerification): VerifyStep[] {
  const isCompared = state === 'verified' || check?.outcome === 'match'
  const isSent = company !== null && company.state !== 'refused'
  const done: VerifyStep[] = ['Email']
  if (isCompared) done.push('Registration')
  if (isSent) done.push('Company')
  return done
}

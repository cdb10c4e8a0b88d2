import type { ProfessionalBody } from '#contract/people.ts'
import type { Standing } from '#contract/verification.ts'

/** The very words that mean somebody may practise. Anything else has to be looked at. */
const GOOD: Record<ProfessionalBody, ReadonlySet<string>> = {
  GMC: new Set([
    'registered with licence',
    'registered with a licence',
    'registered with licence to practise',
    'registered with a licence to practise',
  ]),
  GDC: new Set(['registered']),
  NPI: new Set(['a', 'active']),
}

/** In this order: a status that says two things is taken for the graver one. */
const WORDS: readonly [RegExp, Standing][] = [
  [/\b(?:erased|erasure|struck|removed)\b/, 'struck_off'],
  [/\bsuspen/, 'suspended'],
  [/\bdeactivated\b|^d$/, 'deactivated'],
  [/\bnot registered\b|\brelinquished\b|\bdeceased\b|\blapsed\b|\bretired\b/, 'not_registered'],
  [/\bcondition|\bundertaking/, 'conditions'],
  [/\bprovisional/, 'provisional'],
  [/\bwithout (?:a )?licen[cs]e\b/, 'no_licence'],
]

/** What a register's own words about somebody come to. Words nobody has thought of are `unknown`. */
export function standingOf(body: ProfessionalBody, statusText: string): Standing {
  const words = statusText.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  if (GOOD[body].has(words)) return 'good'
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}

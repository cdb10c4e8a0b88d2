import type { EmailContent } from '#server/messages/templates.ts'

type FailingFacts = {
  firstName: string
  name: string
  /** What goes wrong, in a sentence. */
  why: string
  site: string
}

/** Tells a provider that one of their outside calendars has not been readable for a day. */
export function failingEmail({ firstName, name, why, site }: FailingFacts): EmailContent {
  return {
    heading: 'We can’t read one of your calendars',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nWe haven’t been able to read one of your other calendars for a day. Times we knew to be busy stay blocked, but patients may book times you have filled since.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Calendar', name],
          ['Problem', why],
        ],
      },
      {
        kind: 'link',
        label: 'See your other calendars',
        url: `${site}/doctor/availability/calendars`,
      },
      { kind: 'small', text: 'We keep trying, and won’t email you about this again.' },
    ],
  }
}

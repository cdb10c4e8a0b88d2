import { BadgeCheck, CalendarClock, ListOrdered } from 'lucide-react'
import { TextLink } from '#app/ui/button.tsx'

const steps = [
  {
    title: 'Tell us where and what',
    text: 'A postcode, a ZIP code or a town, the specialty, and how far you would go.',
  },
  {
    title: 'Compare real times and fees',
    text: 'See who is near, what a visit costs and when they are next free, in a list or on a map.',
  },
  {
    title: 'Book and pay',
    text: 'We hold the time for you while you tell us why you’re coming and pay, by card or with PayPal.',
  },
]

/** How it works, in three steps. */
export function HowItWorks() {
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="text-2xl font-semibold">
        How it works
      </h2>
      <ol className="mt-6 grid gap-8 md:grid-cols-3">
        {steps.map((step, at) => (
          <li key={step.title} className="border-t-2 border-brand pt-4">
            <span aria-hidden="true" className="tabular font-semibold text-brand">
              {at + 1}
            </span>
            <h3 className="mt-1 text-lg font-semibold">{step.title}</h3>
            <p className="mt-1 text-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

const promises = [
  {
    icon: BadgeCheck,
    title: 'Checked against the register',
    text: 'Only providers whose registration with the GMC, the GDC or as an NPI holder we have checked. The profile says when.',
    anchor: 'verification',
    more: 'Who is listed',
  },
  {
    icon: CalendarClock,
    title: 'Times that are really free',
    text: "They come from the provider's own calendar, shown in the clinic's time.",
    anchor: undefined,
    more: undefined,
  },
  {
    icon: ListOrdered,
    title: 'Nobody pays for a better place',
    text: 'Results appear in the order you choose: nearest, soonest, or by fee.',
    anchor: 'ranking',
    more: 'How results are ordered',
  },
] as const

/** Why one can trust what the results say. */
export function TrustPoints() {
  return (
    <section aria-labelledby="trust">
      <h2 id="trust" className="text-2xl font-semibold">
        Why you can rely on it
      </h2>
      <ul className="mt-6 grid gap-8 md:grid-cols-3">
        {promises.map(({ icon: Icon, title, text, anchor, more }) => (
          <li key={title}>
            <Icon aria-hidden="true" className="size-7 text-brand" />
            <h3 className="mt-3 text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
            {anchor && (
              <TextLink
                to="/about-us"
                hash={anchor}
                className="mt-2 inline-flex min-h-8 items-center"
              >
                {more}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

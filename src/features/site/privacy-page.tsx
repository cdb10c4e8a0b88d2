import { TextLink } from '#app/ui/button.tsx'
import { InfoPage, InfoSection } from './info-page.tsx'

const cookies = [
  {
    name: 'access_token, refresh_token, user_id',
    why: 'Needed to sign in.',
    until: 'you log out, or 30 days at most',
  },
  { name: 'consentID', why: 'Your answer to the question about cookies.', until: 'a year' },
  {
    name: 'demo_access_token, demo_refresh_token',
    why: 'In a demonstration only: that you have come in.',
    until: '30 days',
  },
]

const kept = [
  {
    name: 'isLoggedIn, firstName, ProfileEmail, ProfilePhone, provider_id, provider_located_region',
    why: 'Your name in the menu, and what forms fill in for you. No password and no key.',
    until: 'you log in as somebody else or clear it; email and phone until you log out',
  },
  {
    name: 'auth_token, provider_auth_token',
    why: 'That you have registered and still have to confirm your address. It opens nothing.',
    until: 'you log in',
  },
  { name: 'selectedRegion', why: 'The region you chose, UK or USA.', until: 'you clear it' },
  {
    name: 'speciality_uk, speciality_usa',
    why: 'The list of specialties, so that it need not be fetched again.',
    until: '24 hours have passed',
  },
  { name: 'theme', why: 'Light or dark, if you chose one.', until: 'you clear it' },
  {
    name: 'promotionSeen',
    why: 'Which notice on the home page you have seen.',
    until: 'you close the tab',
  },
]

function KeptList({ entries }: { entries: typeof kept }) {
  return (
    <dl className="divide-y divide-line border-y border-line">
      {entries.map((entry) => (
        <div
          key={entry.name}
          className="grid grid-cols-[minmax(0,1fr)] gap-1 py-3 wrap-anywhere sm:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <dt className="font-semibold">{entry.name}</dt>
          <dd>
            {entry.why} <span className="text-muted">Kept until: {entry.until}.</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What is kept about a visitor, where, why and for how long. */
export function PrivacyPage() {
  return (
    <InfoPage
      title="Privacy and cookies"
      lead="We keep as little as we can. There is no advertising here, no tracking, and no script from anybody else."
    >
      <InfoSection title="Searching">
        <p>
          A search sends the place, specialty and filters you chose to our server, which answers and
          forgets them. Your network address is held in memory for a short while, so that nobody can
          flood the site.
        </p>
      </InfoSection>
      <InfoSection title="Writing to us or to a provider">
        <p>
          We keep your name, your email address and your message so that it can be delivered and
          answered. A message to a provider goes to that provider. We use it for nothing else.
        </p>
      </InfoSection>
      <InfoSection title="Cookies and storage" id="cookies">
        <p>
          There are only cookies that the site needs, or that you have agreed to. Which those are
          you can change at any time under “Cookie settings” at the foot of every page.
        </p>
        <KeptList entries={cookies} />
        <p>Your browser also keeps a few things for you, which never leave it:</p>
        <KeptList entries={kept} />
      </InfoSection>
      <InfoSection title="The map">
        <p>
          The map is drawn by this site. If whoever runs it has added map pictures from elsewhere,
          your browser fetches those from that provider, who is named in the corner of the map.
        </p>
      </InfoSection>
      <InfoSection title="Your rights">
        <p>
          You may see what we hold about you, have it put right and have it deleted: with an account
          you do all three in <TextLink to="/userProfile">your account</TextLink>. Or write to us
          with the <TextLink to="/contact-us">contact form</TextLink>; who we are is on the{' '}
          <TextLink to="/company-profile">company profile</TextLink>.
        </p>
        <p>
          One record outlasts an account: the security log, which says from which network address
          and when an account was used. It can only be added to, so that nobody can cover up a
          break-in; it is kept for as long as this site is run, without your name and email address.
        </p>
      </InfoSection>
    </InfoPage>
  )
}

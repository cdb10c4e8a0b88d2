import { useSiteConfig } from '#app/lib/site-config.ts'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { InfoPage, InfoSection } from './info-pages.tsx'

/** The terms of use: a template for the operator's lawyer to start from. */
export function TermsPage() {
  const { company, supportEmail } = useSiteConfig()
  return (
    <InfoPage
      title="Terms of use"
      lead="These terms apply whenever you use this site. We’ve kept them short so that you can read them."
    >
      <InfoSection title="Emergencies">
        <p>
          This site is not for emergencies. In the UK call 999, in the USA call 911. For urgent
          advice in the UK that is not an emergency, call 111.
        </p>
      </InfoSection>
      <InfoSection title="Who we are">
        <p>
          This site is run by {company.name}, {company.address.join(', ')}. Write to us at{' '}
          <a href={`mailto:${supportEmail}`} className={textLinkClass}>
            {supportEmail}
          </a>
          .
        </p>
      </InfoSection>
      <InfoSection title="What this site is">
        <p>
          A marketplace. It shows providers, their fees and their free times, and takes bookings and
          payments for them. Your provider gives the care and is solely responsible for it. Nothing
          on this site is medical advice.
        </p>
      </InfoSection>
      <InfoSection title="What we promise">
        <ul>
          <li>We list only providers whose registration we have checked, and show when.</li>
          <li>Free times come from the provider’s own calendar.</li>
          <li>We order results by what you ask for. Nobody can pay for a better place.</li>
          <li>The fee you see is the fee the provider has set, with nothing added at checkout.</li>
        </ul>
      </InfoSection>
      <InfoSection title="Your account">
        <p>
          You need to be at least 16 to have an account in the UK, and 18 in the USA. Keep your
          password to yourself, and tell us if someone else has used your account. You can delete it
          at any time.
        </p>
      </InfoSection>
      <InfoSection title="Visits, payments and refunds">
        <ul>
          <li>
            A visit is booked once your payment has gone through and we’ve confirmed it. Until then
            we hold the time for you for a few minutes.
          </li>
          <li>
            Your contract for the visit is with the provider. You pay through Stripe or PayPal,
            under their terms as well.
          </li>
          <li>
            Each provider decides how late you can cancel free of charge, and what a later
            cancellation costs. You see both before you pay, and they can’t change afterwards.
          </li>
          <li>
            If the provider cancels, or we can’t confirm a visit you’ve paid for, you get a full
            refund. Refunds go back the way you paid; banks take up to ten days to show them.
          </li>
          <li>
            If you’re not happy with a visit, talk to the provider first. If that doesn’t help,
            write to us.
          </li>
        </ul>
      </InfoSection>
      <InfoSection title="What we ask of you">
        <ul>
          <li>Give your own details, or those of someone you may act for.</li>
          <li>Only hold and book times you mean to use.</li>
          <li>Don’t use the site to harass anyone, to advertise or to collect data.</li>
          <li>Don’t try to reach anything that isn’t meant for you.</li>
        </ul>
        <p>We may close accounts that break these rules.</p>
      </InfoSection>
      <InfoSection title="Availability and liability">
        <p>
          We work to keep the site available and accurate, but can’t promise that it always is. A
          registration can change after we checked it, and a time can be taken while you look at it.
          Nothing in these terms limits rights that the law gives you, or our liability where the
          law doesn’t allow it to be limited.
        </p>
      </InfoSection>
      <InfoSection title="Law">
        <p>
          In the UK, the law of the part of the UK you live in applies, and you can go to its
          courts. In the USA, the law of the state you live in applies.
        </p>
      </InfoSection>
      <InfoSection title="Changes and questions">
        <p>
          When these terms change, we’ll publish them here before they apply. The page about{' '}
          <TextLink to="/privacy-cookie">privacy and cookies</TextLink> says how we treat your data.
          Questions? <TextLink to="/contact-us">Contact us</TextLink>.
        </p>
      </InfoSection>
    </InfoPage>
  )
}

const cookies = [
  {
    name: 'access_token, refresh_token, user_id',
    why: 'Needed to sign in.',
    until: 'you log out, or 30 days have passed',
  },
  {
    name: 'visitor',
    why: 'The time we’re holding for you while you register or sign in.',
    until: 'you’ve signed in, or an hour has passed',
  },
  {
    name: 'recent_write',
    why: 'Notes that you’ve just changed something, so that we show you the latest version.',
    until: '15 seconds have passed',
  },
  {
    name: 'consentID',
    why: 'Your answer to the question about cookies.',
    until: 'a year has passed',
  },
  {
    name: 'demo_access_token, demo_refresh_token',
    why: 'In a demonstration only: notes that you’ve entered the demo.',
    until: '30 days',
  },
]

const storedEntries = [
  {
    name: 'isLoggedIn, firstName, ProfileEmail, ProfilePhone, provider_id, provider_located_region',
    why: 'Your name in the menu, and the details that forms fill in for you. No passwords or keys.',
    until: 'you log in as someone else or clear it; email and phone until you log out',
  },
  {
    name: 'auth_token, provider_auth_token',
    why: 'Notes that you’ve registered and still have to confirm your address. It gives no access.',
    until: 'you log in',
  },
  { name: 'selectedRegion', why: 'The region you chose, UK or USA.', until: 'you clear it' },
  {
    name: 'lastPlace_uk, lastPlace_usa',
    why: 'The last place you searched, so that the home page can start from there.',
    until: 'you clear it',
  },
  {
    name: 'speciality_uk, speciality_usa',
    why: 'The list of specialties, so that we don’t have to fetch it again.',
    until: '24 hours have passed',
  },
  { name: 'theme', why: 'Light or dark, if you chose one.', until: 'you clear it' },
  {
    name: 'promotionSeen',
    why: 'The home page notice you’ve already seen.',
    until: 'you close the tab',
  },
]

function StoredList({ entries }: { entries: typeof storedEntries }) {
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

const lifetimes = [
  {
    name: 'Your account',
    why: 'Name, contact details, date of birth, photo, saved providers and settings.',
    until: 'you delete the account',
  },
  {
    name: 'Visits and payments',
    why: 'Who, when, where, the fee, what was paid and what was refunded.',
    until:
      'the law no longer requires it, usually six years in the UK and seven in the USA; without your name once you delete your account',
  },
  {
    name: 'Why you want a visit',
    why: 'What you write for the provider.',
    until: 'you delete your account, or one day after a booking that wasn’t completed',
  },
  {
    name: 'What you write about a missed visit',
    why: 'Your words, or your answer as the provider, for our staff to decide.',
    until: 'you delete your account',
  },
  {
    name: 'Emails we send you',
    why: 'A copy of each, without its codes and sign-in links, so that we can answer questions about it.',
    until: '90 days after it was delivered',
  },
  {
    name: 'Messages',
    why: 'What you write to us or to a provider with the contact form.',
    until: 'a year has passed, or you delete your account',
  },
  {
    name: 'Sign-ins',
    why: 'Device, time and network address of each sign-in.',
    until: '30 days after the session has ended',
  },
  {
    name: 'Security log',
    why: 'Who did what and when, so that misuse can be found and nobody can cover it up.',
    until: 'this site closes; without your name and email address once you delete your account',
  },
]

/**
 * The privacy notice: a template for the operator's lawyer to start from. The operator's details come from
 * the settings; the data kept, and for how long, is what the product does.
 */
export function PrivacyPage() {
  const { company, supportEmail } = useSiteConfig()
  return (
    <InfoPage
      title="Privacy and cookies"
      lead="We collect what booking a visit needs, and nothing for advertising. There are no trackers, and no scripts from anyone else until you pay."
    >
      <InfoSection title="Who we are">
        <p>
          {company.name} runs this site and is responsible for the data it holds (the “controller”
          under UK data protection law). Our address is {company.address.join(', ')}. For anything
          about privacy, write to{' '}
          <a href={`mailto:${supportEmail}`} className={textLinkClass}>
            {supportEmail}
          </a>
          .
        </p>
        <p>
          The provider you book is responsible for the medical records of your visit. Those records
          are never kept here.
        </p>
      </InfoSection>
      <InfoSection title="What we collect, and why">
        <ul>
          <li>
            <strong>Searching.</strong> The place, specialty and filters you choose. We use them to
            answer your search and don’t store them. If you press “Use my location”, we turn your
            location into the nearest postcode area or ZIP code and don’t keep the exact spot.
          </li>
          <li>
            <strong>Your account.</strong> Your name, email address, phone number and date of birth,
            so that a provider knows who is coming and can reach you. We need them for our contract
            with you.
          </li>
          <li>
            <strong>Booking a visit.</strong> The provider, time and place, and the reason you
            write. This is information about your health, and we only use it to arrange the visit.
            In the UK we rely on your explicit consent, which you give when you send it (Article
            9(2)(a) UK GDPR). You can withdraw it by cancelling and deleting your account.
          </li>
          <li>
            <strong>Paying.</strong> What you paid, how, and what was refunded. We never see your
            card number.
          </li>
          <li>
            <strong>Messages.</strong> What you write to us or to a provider, so that it can be
            delivered and answered.
          </li>
          <li>
            <strong>Keeping the site safe.</strong> Your network address, for a short while, to stop
            abuse and break-ins. This is in our legitimate interest and yours.
          </li>
        </ul>
      </InfoSection>
      <InfoSection title="Who receives it">
        <ul>
          <li>
            <strong>The provider you book</strong> sees your name, phone number, email address, age
            and the reason for your visit.
          </li>
          <li>
            <strong>Stripe or PayPal</strong>, whichever you pay with, receives the amount, a
            reference and what you enter in its form. Neither is told why you want the visit. They
            handle payment data under their own privacy notices, and may process it in the USA and
            other countries with the safeguards the law requires.
          </li>
          <li>
            <strong>Our email service</strong> delivers confirmations and reminders. They never
            contain the reason for your visit.
          </li>
          <li>
            <strong>Courts and authorities</strong>, where the law obliges us.
          </li>
        </ul>
        <p>We don’t sell data, share it for advertising, or use it to profile you.</p>
      </InfoSection>
      <InfoSection title="How long we keep it">
        <StoredList entries={lifetimes} />
      </InfoSection>
      <InfoSection title="Your rights">
        <p>
          You can see, correct, download and delete your data yourself in{' '}
          <TextLink to="/userProfile">your account</TextLink>. You can also ask us to restrict or
          stop using it. Write to us by email or with the{' '}
          <TextLink to="/contact-us">contact form</TextLink>; we answer within one month.
        </p>
        <p>
          <strong>In the UK</strong> these are your rights under the UK GDPR and the Data Protection
          Act 2018. If you’re unhappy with our answer, you can complain to the Information
          Commissioner’s Office at ico.org.uk.
        </p>
        <p>
          <strong>In the USA</strong> state laws may give you further rights, such as to know,
          delete and correct your data and to limit the use of health data. We honor them for
          everyone, and never treat you differently for using them. Providers covered by HIPAA give
          you their own notice of privacy practices.
        </p>
      </InfoSection>
      <InfoSection title="Cookies and storage" id="cookies">
        <p>
          We only use cookies that the site needs, or that you have agreed to. You can change your
          choice at any time under “Cookie settings” at the foot of every page.
        </p>
        <StoredList entries={cookies} />
        <p>Your browser also keeps a few things for you, which never leave it:</p>
        <StoredList entries={storedEntries} />
      </InfoSection>
      <InfoSection title="The map">
        <p>
          The map is drawn by this site. If we’ve added map images from someone else, your browser
          fetches those from that service, which is named in the corner of the map.
        </p>
      </InfoSection>
    </InfoPage>
  )
}

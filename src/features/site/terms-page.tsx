import { siteConfig } from '#app/lib/site-config.ts'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { InfoPage, InfoSection } from './info-page.tsx'

/** The terms of use: a template for the operator's lawyer to start from. */
export function TermsPage() {
  const { company, supportEmail } = siteConfig()
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

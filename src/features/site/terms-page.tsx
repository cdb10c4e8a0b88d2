import { TextLink } from '#app/ui/button.tsx'
import { InfoPage, InfoSection } from './info-page.tsx'

/** The terms of use, in plain words. */
export function TermsPage() {
  return (
    <InfoPage
      title="Terms of use"
      lead="By using this site you agree to what follows. We kept it short so that you can read it."
    >
      <InfoSection title="Emergencies">
        <p>
          This site is not for emergencies. In the UK call 999, in the USA call 911. For urgent
          advice in the UK that is not an emergency, call 111.
        </p>
      </InfoSection>
      <InfoSection title="What this site is">
        <p>
          A marketplace. It shows providers, their fees and their free times, and carries messages
          to them. The care itself is given by the provider you choose, who alone answers for it.
          Nothing on this site is medical advice.
        </p>
      </InfoSection>
      <InfoSection title="What we promise">
        <ul>
          <li>We list only providers whose registration we have checked, and show when.</li>
          <li>Free times come from the provider's own calendar.</li>
          <li>We order results by what you ask for. Nobody can pay for a better place.</li>
          <li>The fee you see is the fee the provider has set.</li>
        </ul>
      </InfoSection>
      <InfoSection title="What we ask of you">
        <ul>
          <li>Give your own details, or those of someone you may act for.</li>
          <li>Do not use the site to harass anybody, to send advertising or to collect data.</li>
          <li>Do not try to get at what is not meant for you.</li>
        </ul>
      </InfoSection>
      <InfoSection title="Availability and liability">
        <p>
          We work to keep the site up and right, and cannot promise that it always is. A
          registration can change after we checked it, and a time can be taken while you look at it.
          Nothing in these terms limits rights that the law gives you.
        </p>
      </InfoSection>
      <InfoSection title="Changes and questions">
        <p>
          When these terms change, we’ll publish them here before they apply. How we treat your data
          is on the page about <TextLink to="/privacy-cookie">privacy and cookies</TextLink>.
          Questions go to <TextLink to="/contact-us">contact us</TextLink>.
        </p>
      </InfoSection>
    </InfoPage>
  )
}

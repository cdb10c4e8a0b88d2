import { TextLink } from '#app/ui/button.tsx'
import { InfoPage, InfoSection } from './info-page.tsx'

/** What Apposite is, how it decides, and where its data comes from. */
export function AboutPage() {
  return (
    <InfoPage
      title="About us"
      lead="Apposite is an open marketplace for health appointments: patients find a provider near them, and providers manage their own calendars."
    >
      <InfoSection title="What we do">
        <p>
          Enter a postcode, a ZIP code or a town. We show the doctors, dentists and other providers
          near it, what they charge and when they’re free, taken from their own calendars.
        </p>
      </InfoSection>
      <InfoSection title="Who is listed" id="verification">
        <p>
          We only list providers whose professional registration we’ve checked: with the General
          Medical Council or the General Dental Council in the UK, or by National Provider
          Identifier in the USA. Each profile shows the registration number and the day it was
          checked.
        </p>
      </InfoSection>
      <InfoSection title="How results are ordered" id="ranking">
        <p>
          Results are ordered by distance from the place you entered, unless you choose another
          order: soonest free time, lowest fee, highest fee or name. Nobody can pay for a better
          place in the list.
        </p>
      </InfoSection>
      <InfoSection title="Open source">
        <p>
          The software behind this site is free and open source, under the MIT licence. Anyone can
          run it, read it and improve it.
        </p>
      </InfoSection>
      <InfoSection title="Data sources" id="data-sources">
        <p>Places, boundaries and postcodes come from these public sources:</p>
        <ul>
          <li>
            Contains OS data © Crown copyright and database right 2025. Contains Royal Mail data ©
            Royal Mail copyright and database right 2025. Contains National Statistics data © Crown
            copyright and database right 2025. Licensed under the Open Government Licence v3.0.
          </li>
          <li>
            Source: Office for National Statistics licensed under the Open Government Licence v3.0
            (boundaries).
          </li>
          <li>Postal places: GeoNames, CC BY 4.0.</li>
          <li>
            Villages of England: Wikipedia, List of United Kingdom locations, CC BY-SA 3.0; waters
            and hills left out.
          </li>
          <li>
            Villages of Scotland, Wales and Northern Ireland: GeoNames, CC BY 4.0; places without a
            position of their own left out.
          </li>
          <li>US Census Bureau (courtesy; public domain).</li>
          <li>Land, coasts and borders on the map: Natural Earth and US Census Bureau.</li>
        </ul>
      </InfoSection>
      <InfoSection title="Talk to us">
        <p>
          If you have a question, a correction or an idea,{' '}
          <TextLink to="/contact-us">write to us</TextLink>. The{' '}
          <TextLink to="/company-profile">company profile</TextLink> says who runs this site.
        </p>
      </InfoSection>
    </InfoPage>
  )
}

import { LinkButton } from '#app/ui/link-button.tsx'
import { InfoPage, InfoSection } from './info-page.tsx'

/** Stands at the account addresses for as long as accounts are not open here. */
export function AccountsClosedPage() {
  return (
    <InfoPage
      title="Accounts are not open yet"
      lead="You cannot log in or register on this site at the moment. You do not need an account to find care."
    >
      <InfoSection title="What you can do now">
        <ul>
          <li>Search for a doctor or dentist near a postcode, ZIP code or town.</li>
          <li>See the next free times of each of them, and their fees.</li>
          <li>Open a profile and write to the provider.</li>
        </ul>
        <div className="mt-4 flex flex-wrap gap-3">
          <LinkButton to="/home">Find care</LinkButton>
          <LinkButton to="/contact-us" variant="secondary">
            Contact us
          </LinkButton>
        </div>
      </InfoSection>
    </InfoPage>
  )
}

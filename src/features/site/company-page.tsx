import { siteConfig } from '#app/lib/site-config.ts'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { InfoPage } from './info-page.tsx'

/** Who runs this installation. All facts here come from the operator. */
export function CompanyPage() {
  const { company, supportEmail, demo } = siteConfig()
  const facts = [
    { name: 'Name', value: company.name },
    { name: 'Registration', value: company.registration },
    { name: 'Address', value: company.address.join(', ') },
  ]
  return (
    <InfoPage title="Company profile" lead="The company that runs this site.">
      {demo && (
        <Notice title="Demonstration details">
          <p>This is a demonstration site. The company below is made up.</p>
        </Notice>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {facts.map((fact) => (
          <div
            key={fact.name}
            className="grid grid-cols-[minmax(0,1fr)] gap-1 py-4 wrap-anywhere sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="font-semibold">{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1 py-4 wrap-anywhere sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="font-semibold">Support</dt>
          <dd>
            <a href={`mailto:${supportEmail}`} className={textLinkClass}>
              {supportEmail}
            </a>{' '}
            or the <TextLink to="/contact-us">contact form</TextLink>
          </dd>
        </div>
      </dl>
    </InfoPage>
  )
}

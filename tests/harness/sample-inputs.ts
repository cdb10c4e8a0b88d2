import { PASSWORD } from '#tests/harness/accounts.ts'

const token = 'A'.repeat(43)
const consentID = '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d'
const passwords = { new_password: 'a boat on the river', confirm_password: 'a boat on the river' }

const person = {
  first_name: 'Ngozi',
  last_name: 'Obi',
  email: 'ngozi@mail.example',
  phone_number: '+44 20 7946 0123',
}

const visit = `apt_${'0'.repeat(26)}`
const slot = { providerId: `prv_${'0'.repeat(26)}`, startsAt: '2026-03-04T09:00:00Z' }
const about = {
  about: 'I see people of every age and take the time it needs.',
  qualifications: ['MBBS'],
  languages: ['en'],
}
const price = { amount: 6_000, follow_amount: 4_000, consultation_minutes: 30 }
const practice = { hospital_name: 'The Surgery', address: '1 High Street', postcode: 'SE1 6ET' }
const placeId = `plc_${'0'.repeat(26)}`
const pay = {
  holdId: visit,
  typeOfVisit: 'first_visit',
  purposeForVisit: 'A cough that will not go away',
  shown: { minor: 6_000, currency: 'GBP' },
}

/** For every procedure an input its contract takes, so that a call gets past it to what decides. */
export const sampleInputs: Readonly<Record<string, object>> = {
  'auth.beginSecondFactor': {},
  'auth.changeEmail': { email: 'new@mail.example', password: PASSWORD },
  'auth.changePassword': { current_password: PASSWORD, ...passwords },
  'auth.checkCode': { purpose: 'erase', otp: '123456' },
  'auth.confirmEmail': { auth_token: token, otp: '123456' },
  'auth.confirmSecondFactor': { code: '123456' },
  'auth.demoAccounts': {},
  'auth.endSession': { id: `ses_${'0'.repeat(26)}` },
  'auth.enterDemo': { email: null },
  'auth.forgotPassword': { email: person.email, userType: 'patient' },
  'auth.leaveDemo': {},
  'auth.me': {},
  'auth.refresh': {},
  'auth.registerPatient': {
    ...person,
    password: PASSWORD,
    date_of_birth: '1990-02-28',
    terms: true,
  },
  'auth.removeSecondFactor': {},
  'auth.resendVerification': { email: person.email, user_type: 'patient' },
  'auth.resetPassword': { token, ...passwords },
  'auth.sendCode': { purpose: 'erase' },
  'auth.sessions': {},
  'auth.signIn': { email: person.email, password: PASSWORD, user_type: 'patient' },
  'auth.signOut': {},
  'auth.signOutEverywhere': {},
  'auth.stepUp': { password: PASSWORD, second_factor: '123456' },
  'auth.verifyEmail': { token },
  'availability.addAbsence': { version: 0, placeId: null, from: '2026-04-06', to: '2026-04-10' },
  'availability.addDates': {
    version: 0,
    placeId: `plc_${'0'.repeat(26)}`,
    dates: ['2026-04-11'],
    from: 540,
    to: 720,
  },
  'availability.explain': { date: '2026-03-05', time: '09:30' },
  'availability.freeTimes': { providerId: `prv_${'0'.repeat(26)}` },
  'availability.mine': {},
  'availability.preview': {},
  'availability.removeAbsence': { version: 0, id: `abs_${'0'.repeat(26)}` },
  'availability.removeDate': { version: 0, id: `xdt_${'0'.repeat(26)}` },
  'availability.saveHours': {
    version: 0,
    settings: {
      noticeMinutes: 120,
      horizonDays: 60,
      bufferMinutes: 0,
      closedOnHolidays: false,
      rotation: { weeks: 1, from: '2026-03-02' },
    },
    hours: [],
  },
  'bankAccounts.add': {
    region: 'uk',
    key: consentID,
    name: 'Dr Amara Okafor',
    sort_code: '12-34-56',
    account_number: '31415926',
  },
  'bankAccounts.edit': {
    region: 'uk',
    id: `bnk_${'0'.repeat(26)}`,
    version: 1,
    name: 'Dr Amara Okafor',
    sort_code: '12-34-56',
  },
  'bankAccounts.list': {},
  'bankAccounts.makePrimary': { id: `bnk_${'0'.repeat(26)}` },
  'bankAccounts.remove': { id: `bnk_${'0'.repeat(26)}` },
  'booking.calendar': { id: visit },
  'booking.checkSlot': slot,
  'booking.current': { holdId: visit },
  'booking.describe': { holdId: visit, typeOfVisit: 'first_visit' },
  'booking.hold': slot,
  'booking.holds': {},
  'booking.renew': { holdId: visit },
  'booking.visit': { id: visit },
  'booking.visits': { when: 'coming' },
  'gallery.homepage': {},
  'messages.contact': { ...contact(), message: 'Can you see my son on Friday?' },
  'payments.capture': { orderId: 'ORDER' },
  'payments.leave': { holdId: visit },
  'payments.options': {},
  'payments.returned': { session_id: 'cs_test_1' },
  'payments.startCard': pay,
  'payments.startWallet': pay,
  'payments.status': { orderId: 'ORDER' },
  'profiles.addPlace': practice,
  'profiles.consent': { consentID },
  'profiles.details': {},
  'profiles.editPlace': { placeId, ...practice },
  'profiles.erase': { confirm: true },
  'profiles.exportData': {},
  'profiles.makeMainPlace': { placeId },
  'profiles.own': {},
  'profiles.registerProvider': {
    ...person,
    password: PASSWORD,
    region: 'uk',
    registed_with: { professional_body_name: 'GMC', membership_number: '7000001' },
    specialty: 'gp',
    qualifications: ['MBBS'],
    hospital_name: 'Riverside Family Practice',
    address: '24 Chapel Street',
    postcode: 'SE1 6ET',
    amount: 6_000,
    follow_amount: 4_000,
    consultation_minutes: 20,
    languages: ['en'],
    about: 'I have been a GP south of the river for fourteen years.',
    terms: true,
  },
  'profiles.removePhoto': {},
  'profiles.removePlace': { placeId },
  'profiles.saveConsent': { consentID, preferences: true, statistics: false },
  'profiles.updateAbout': about,
  'profiles.updateDetails': {
    first_name: person.first_name,
    last_name: person.last_name,
    phone_number: person.phone_number,
    default_radius: 10,
  },
  'profiles.updateIdentity': {
    title: 'Dr',
    first_name: 'Ngozi',
    last_name: 'Obi',
    specialty: 'gp',
    registed_with: { professional_body_name: 'GMC', membership_number: '1234567' },
  },
  'profiles.updateOffer': {
    ...price,
    modes: ['in_person'],
    follow_up_policy: 'trust',
    free_cancel_hours: 24,
    late_cancel_percent: 50,
  },
  'search.map': { postcode: 'SE1 6ET' },
  'search.preview': {},
  'search.prove': { captchaValue: 'x' },
  'search.provider': { id: `prv_${'0'.repeat(26)}` },
  'search.providers': { postcode: 'SE1 6ET' },
  'search.specialities': {},
  'search.suggest': { text: 'SE1' },
  'verification.lookUpMine': { professional_body_name: 'GMC', membership_number: '7000001' },
  'verification.mine': {},
  'verification.sendCompany': {
    company_name: 'Harbour Surgery Ltd',
    registration_number: '01234567',
    address: '1 Borough High Street\nLondon SE1 9GF',
    document: `doc_${'0'.repeat(26)}`,
  },
}

function contact() {
  const { phone_number: _, ...rest } = person
  return rest
}

import { accountsErrors } from './accounts.ts'
import { hoursErrors } from './hours.ts'
import { imagesErrors } from './images.ts'
import { paymentsErrors } from './payments.ts'
import { placesErrors } from './places.ts'
import { providersErrors } from './providers.ts'
import { requestsErrors } from './requests.ts'
import { searchErrors } from './search.ts'
import { visitsErrors } from './visits.ts'

/**
 * The closed table of failures a caller can act on, by code: transport status and sentence. An error is declared
 * in one of the files of `contract/errors`, and nowhere else.
 */
export const errorTable = {
  ...requestsErrors,
  ...searchErrors,
  ...placesErrors,
  ...accountsErrors,
  ...providersErrors,
  ...hoursErrors,
  ...visitsErrors,
  ...paymentsErrors,
  ...imagesErrors,
}

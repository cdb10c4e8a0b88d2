import { Done, Nothing, RegisterAnswer, SignOutAnswer } from '#contract/auth.ts'
import {
  Consent,
  ConsentInput,
  DataExport,
  EraseInput,
  PatientDetails,
  ReadConsentInput,
  RegisterProviderInput,
  UpdateDetailsInput,
} from '#contract/profiles.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'
import { erase } from './erase.ts'
import { exportData } from './export-data.ts'
import { registerProvider } from './register-provider.ts'
import { readConsent, saveConsent } from './save-consent.ts'
import { removePhoto } from './set-photo.ts'
import { readDetails, updateDetails } from './update-details.ts'

export const profilesRouter = router({
  consent: publicProcedure
    .input(ReadConsentInput)
    .output(Consent)
    .query(({ ctx, input }) => readConsent(ctx, input)),
  details: sessionProcedure
    .input(Nothing)
    .output(PatientDetails)
    .query(({ ctx }) => readDetails(ctx)),
  erase: sessionProcedure
    .input(EraseInput)
    .output(SignOutAnswer)
    .mutation(({ ctx }) => erase(ctx)),
  exportData: sessionProcedure
    .input(Nothing)
    .output(DataExport)
    .mutation(({ ctx }) => exportData(ctx)),
  registerProvider: publicProcedure
    .input(RegisterProviderInput)
    .output(RegisterAnswer)
    .mutation(({ ctx, input }) => registerProvider(ctx, input)),
  removePhoto: sessionProcedure
    .input(Nothing)
    .output(Done)
    .mutation(({ ctx }) => removePhoto(ctx)),
  saveConsent: publicProcedure
    .input(ConsentInput)
    .output(Done)
    .mutation(({ ctx, input }) => saveConsent(ctx, input)),
  updateDetails: sessionProcedure
    .input(UpdateDetailsInput)
    .output(PatientDetails)
    .mutation(({ ctx, input }) => updateDetails(ctx, input)),
})

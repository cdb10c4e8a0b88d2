import * as z from 'zod/mini'
import { RegisterResponse } from '#contract/auth.ts'
import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { UpdateAboutInput } from '#contract/base/provider.ts'
import {
  Consent,
  ConsentInput,
  DataExport,
  Favourite,
  FavouriteRef,
  PatientDetails,
  ReadConsentInput,
  RegisterProviderInput,
  UpdateDetailsInput,
} from '#contract/profiles.ts'
import {
  AddPlaceInput,
  ArchiveVisitTypeInput,
  ChangePlaceZoneInput,
  EditPlaceInput,
  OfferedVisitTypes,
  OrderVisitTypesInput,
  OwnProfile,
  PlaceRef,
  PlaceZoneChange,
  PlaceZoneInput,
  RemovePlaceInput,
  SaveVisitTypeInput,
  UpdateIdentityInput,
  UpdateOfferInput,
  VisitTypesInput,
} from '#contract/profiles-own.ts'
import {
  patientOrProviderProcedure,
  patientProcedure,
  providerProcedure,
  publicProcedure,
  publicReadProcedure,
  router,
} from '#server/trpc.ts'
import { archiveVisitType, orderVisitTypes, saveVisitType } from './change-visit-types.ts'
import { readFavourites, removeFavourite, saveFavourite } from './favourites.ts'
import {
  readDetails,
  readOwn,
  removePhoto,
  updateAbout,
  updateDetails,
  updateIdentity,
  updateOffer,
} from './own-profile.ts'
import { exportData, readConsent, saveConsent } from './personal-data.ts'
import { changePlaceZone, readPlaceZone } from './place-zone.ts'
import { addPlace, editPlace, makeMainPlace, removePlace } from './places.ts'
import { registerProvider } from './register-provider.ts'
import { readVisitTypes } from './visit-types.ts'

export const profilesRouter = router({
  addPlace: providerProcedure
    .input(AddPlaceInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => addPlace(ctx, input)),
  archiveVisitType: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(ArchiveVisitTypeInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => archiveVisitType(ctx, input)),
  changePlaceZone: providerProcedure
    .input(ChangePlaceZoneInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => changePlaceZone(ctx, input)),
  consent: publicProcedure
    .input(ReadConsentInput)
    .output(Consent)
    .query(({ ctx, input }) => readConsent(ctx, input)),
  details: patientProcedure
    .meta({ scope: 'account:read' })
    .input(EmptyInput)
    .output(PatientDetails)
    .query(({ ctx }) => readDetails(ctx)),
  editPlace: providerProcedure
    .input(EditPlaceInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => editPlace(ctx, input)),
  exportData: patientOrProviderProcedure
    .meta({ stepUp: 'always', isSecret: true })
    .input(EmptyInput)
    .output(DataExport)
    .mutation(({ ctx }) => exportData(ctx)),
  favourites: patientProcedure
    .meta({ scope: 'favourites:read' })
    .input(EmptyInput)
    .output(z.array(Favourite))
    .query(({ ctx }) => readFavourites(ctx)),
  makeMainPlace: providerProcedure
    .input(PlaceRef)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => makeMainPlace(ctx, input)),
  orderVisitTypes: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(OrderVisitTypesInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => orderVisitTypes(ctx, input)),
  own: providerProcedure
    .meta({ scope: 'account:read' })
    .input(EmptyInput)
    .output(OwnProfile)
    .query(({ ctx }) => readOwn(ctx)),
  placeZone: providerProcedure
    .input(PlaceZoneInput)
    .output(PlaceZoneChange)
    .query(({ ctx, input }) => readPlaceZone(ctx, input)),
  registerProvider: publicProcedure
    .input(RegisterProviderInput)
    .output(RegisterResponse)
    .mutation(({ ctx, input }) => registerProvider(ctx, input)),
  removeFavourite: patientProcedure
    .meta({ scope: 'favourites:write' })
    .input(FavouriteRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeFavourite(ctx, input)),
  removePhoto: patientOrProviderProcedure
    .input(EmptyInput)
    .output(Done)
    .mutation(({ ctx }) => removePhoto(ctx)),
  removePlace: providerProcedure
    .input(RemovePlaceInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => removePlace(ctx, input)),
  saveConsent: publicProcedure
    .meta({ limit: 'consent' })
    .input(ConsentInput)
    .output(Done)
    .mutation(({ ctx, input }) => saveConsent(ctx, input)),
  saveFavourite: patientProcedure
    .meta({ scope: 'favourites:write' })
    .input(FavouriteRef)
    .output(Done)
    .mutation(({ ctx, input }) => saveFavourite(ctx, input)),
  saveVisitType: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(SaveVisitTypeInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => saveVisitType(ctx, input)),
  updateAbout: providerProcedure
    .input(UpdateAboutInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => updateAbout(ctx, input)),
  updateDetails: patientProcedure
    .input(UpdateDetailsInput)
    .output(PatientDetails)
    .mutation(({ ctx, input }) => updateDetails(ctx, input)),
  updateIdentity: providerProcedure
    .input(UpdateIdentityInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => updateIdentity(ctx, input)),
  updateOffer: providerProcedure
    .input(UpdateOfferInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => updateOffer(ctx, input)),
  visitTypes: publicReadProcedure
    .meta({ scope: 'any' })
    .input(VisitTypesInput)
    .output(OfferedVisitTypes)
    .query(({ ctx, input }) => readVisitTypes(ctx, input)),
})

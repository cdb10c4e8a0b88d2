import * as z from 'zod/mini'
import { Done, EmptyInput, RegisterResponse } from '#contract/auth.ts'
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
  EditPlaceInput,
  OfferedVisitTypes,
  OrderVisitTypesInput,
  OwnProfile,
  PlaceRef,
  RemovePlaceInput,
  SaveVisitTypeInput,
  UpdateAboutInput,
  UpdateIdentityInput,
  UpdateOfferInput,
  VisitTypesInput,
} from '#contract/profiles-own.ts'
import { publicProcedure, publicReadProcedure, router, sessionProcedure } from '#server/trpc.ts'
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
import { addPlace, editPlace, makeMainPlace, removePlace } from './places.ts'
import { registerProvider } from './register-provider.ts'
import { readVisitTypes } from './visit-types.ts'

export const profilesRouter = router({
  addPlace: sessionProcedure
    .input(AddPlaceInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => addPlace(ctx, input)),
  archiveVisitType: sessionProcedure
    .input(ArchiveVisitTypeInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => archiveVisitType(ctx, input)),
  consent: publicProcedure
    .input(ReadConsentInput)
    .output(Consent)
    .query(({ ctx, input }) => readConsent(ctx, input)),
  details: sessionProcedure
    .input(EmptyInput)
    .output(PatientDetails)
    .query(({ ctx }) => readDetails(ctx)),
  editPlace: sessionProcedure
    .input(EditPlaceInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => editPlace(ctx, input)),
  exportData: sessionProcedure
    .input(EmptyInput)
    .output(DataExport)
    .mutation(({ ctx }) => exportData(ctx)),
  favourites: sessionProcedure
    .input(EmptyInput)
    .output(z.array(Favourite))
    .query(({ ctx }) => readFavourites(ctx)),
  makeMainPlace: sessionProcedure
    .input(PlaceRef)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => makeMainPlace(ctx, input)),
  orderVisitTypes: sessionProcedure
    .input(OrderVisitTypesInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => orderVisitTypes(ctx, input)),
  own: sessionProcedure
    .input(EmptyInput)
    .output(OwnProfile)
    .query(({ ctx }) => readOwn(ctx)),
  registerProvider: publicProcedure
    .input(RegisterProviderInput)
    .output(RegisterResponse)
    .mutation(({ ctx, input }) => registerProvider(ctx, input)),
  removeFavourite: sessionProcedure
    .input(FavouriteRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeFavourite(ctx, input)),
  removePhoto: sessionProcedure
    .input(EmptyInput)
    .output(Done)
    .mutation(({ ctx }) => removePhoto(ctx)),
  removePlace: sessionProcedure
    .input(RemovePlaceInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => removePlace(ctx, input)),
  saveConsent: publicProcedure
    .input(ConsentInput)
    .output(Done)
    .mutation(({ ctx, input }) => saveConsent(ctx, input)),
  saveFavourite: sessionProcedure
    .input(FavouriteRef)
    .output(Done)
    .mutation(({ ctx, input }) => saveFavourite(ctx, input)),
  saveVisitType: sessionProcedure
    .input(SaveVisitTypeInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => saveVisitType(ctx, input)),
  updateAbout: sessionProcedure
    .input(UpdateAboutInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => updateAbout(ctx, input)),
  updateDetails: sessionProcedure
    .input(UpdateDetailsInput)
    .output(PatientDetails)
    .mutation(({ ctx, input }) => updateDetails(ctx, input)),
  updateIdentity: sessionProcedure
    .input(UpdateIdentityInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => updateIdentity(ctx, input)),
  updateOffer: sessionProcedure
    .input(UpdateOfferInput)
    .output(OwnProfile)
    .mutation(({ ctx, input }) => updateOffer(ctx, input)),
  visitTypes: publicReadProcedure
    .input(VisitTypesInput)
    .output(OfferedVisitTypes)
    .query(({ ctx, input }) => readVisitTypes(ctx, input)),
})

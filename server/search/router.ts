import * as z from 'zod/mini'
import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  LocatedPlace,
  LocateInput,
  MapResults,
  PlaceSuggestion,
  ProveInput,
  ProviderInput,
  ProviderProfile,
  SearchFilters,
  SearchResults,
  SpecialitiesInput,
  Specialty,
  SuggestInput,
} from '#contract/search.ts'
import { suggestPlaces } from '#db/geo/suggest.ts'
import { providerProcedure, publicProcedure, publicReadProcedure, router } from '#server/trpc.ts'
import { previewProfile, providerProfile } from './profile.ts'
import { listSpecialities, locate, prove, searchMap, searchProviders } from './search-providers.ts'

const SUGGESTIONS = 8

export const searchRouter = router({
  providers: publicReadProcedure
    .meta({ limit: 'search', scope: 'any' })
    .input(SearchFilters)
    .output(SearchResults)
    .query(({ ctx, input }) => searchProviders(ctx, input)),
  locate: publicReadProcedure
    .input(LocateInput)
    .output(LocatedPlace)
    .mutation(({ ctx, input }) => locate(ctx, input)),
  map: publicReadProcedure
    .meta({ limit: 'search', scope: 'any' })
    .input(SearchFilters)
    .output(MapResults)
    .query(({ ctx, input }) => searchMap(ctx, input)),
  preview: providerProcedure
    .input(EmptyInput)
    .output(ProviderProfile)
    .query(({ ctx }) => previewProfile(ctx)),
  prove: publicProcedure
    .input(ProveInput)
    .output(Done)
    .mutation(({ ctx, input }) => prove(ctx, input)),
  provider: publicReadProcedure
    .meta({ scope: 'any' })
    .input(ProviderInput)
    .output(ProviderProfile)
    .query(({ ctx, input }) => providerProfile(ctx, input)),
  specialities: publicProcedure
    .meta({ scope: 'any', cache: 'public, max-age=86400' })
    .input(SpecialitiesInput)
    .output(z.array(Specialty))
    .query(({ input }) => listSpecialities(input.selectedRegion)),
  suggest: publicReadProcedure
    .meta({ scope: 'any' })
    .input(SuggestInput)
    .output(z.array(PlaceSuggestion))
    .query(({ ctx, input }) =>
      suggestPlaces(
        ctx.database.db,
        { region: input.selectedRegion, text: input.text },
        SUGGESTIONS,
      ),
    ),
})

import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  DescribeImageInput,
  Gallery,
  Homepage,
  HomepageState,
  HomepageVersions,
  PublishColorInput,
  PublishImageInput,
  PublishModalInput,
  RemoveImageInput,
  RestoreInput,
} from '#contract/gallery.ts'
import { publicReadProcedure, router, staffProcedure } from '#server/trpc.ts'
import { describeImage, listImages, removeImage } from './images.ts'
import {
  listVersions,
  publishColor,
  publishImage,
  publishModal,
  restoreVersion,
} from './publish.ts'
import { showHomepage } from './show-homepage.ts'

export const galleryRouter = router({
  describe: staffProcedure('upload')
    .input(DescribeImageInput)
    .output(Done)
    .mutation(({ ctx, input }) => describeImage(ctx, input)),
  homepage: publicReadProcedure
    .meta({ scope: 'any', cache: 'no-cache' })
    .input(EmptyInput)
    .output(Homepage)
    .query(({ ctx }) => showHomepage(ctx.database.db)),
  images: staffProcedure('upload')
    .input(EmptyInput)
    .output(Gallery)
    .query(({ ctx }) => listImages(ctx)),
  publishColor: staffProcedure('publish')
    .input(PublishColorInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => publishColor(ctx, input)),
  publishImage: staffProcedure('publish')
    .input(PublishImageInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => publishImage(ctx, input)),
  publishModal: staffProcedure('publish')
    .input(PublishModalInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => publishModal(ctx, input)),
  remove: staffProcedure('upload')
    .input(RemoveImageInput)
    .output(Done)
    .mutation(({ ctx, input }) => removeImage(ctx, input)),
  restore: staffProcedure('publish')
    .input(RestoreInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => restoreVersion(ctx, input)),
  versions: staffProcedure('upload')
    .input(EmptyInput)
    .output(HomepageVersions)
    .query(({ ctx }) => listVersions(ctx.database.db)),
})

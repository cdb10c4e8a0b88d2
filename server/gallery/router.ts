import { Done, Nothing } from '#contract/auth.ts'
import { Homepage } from '#contract/gallery.ts'
import {
  DescribeImageInput,
  Gallery,
  HomepageState,
  HomepageVersions,
  PublishColorInput,
  PublishImageInput,
  PublishModalInput,
  RemoveImageInput,
  RestoreInput,
} from '#contract/gallery-staff.ts'
import { publicProcedure, router, staffProcedure } from '#server/trpc.ts'
import { describeImage } from './describe-image.ts'
import { listImages } from './list-images.ts'
import { listVersions } from './list-versions.ts'
import { publishColor, publishImage, publishModal, restoreVersion } from './publish.ts'
import { removeImage } from './remove-image.ts'
import { showHomepage } from './show-homepage.ts'

const staff = staffProcedure('superuser', 'admin', 'editor', 'author')
const publisher = staffProcedure('superuser', 'admin', 'editor')

export const galleryRouter = router({
  describe: staff
    .input(DescribeImageInput)
    .output(Done)
    .mutation(({ ctx, input }) => describeImage(ctx, input)),
  homepage: publicProcedure
    .input(Nothing)
    .output(Homepage)
    .query(({ ctx }) => showHomepage(ctx.database.db)),
  images: staff
    .input(Nothing)
    .output(Gallery)
    .query(({ ctx }) => listImages(ctx)),
  publishColor: publisher
    .input(PublishColorInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => publishColor(ctx, input)),
  publishImage: publisher
    .input(PublishImageInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => publishImage(ctx, input)),
  publishModal: publisher
    .input(PublishModalInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => publishModal(ctx, input)),
  remove: staff
    .input(RemoveImageInput)
    .output(Done)
    .mutation(({ ctx, input }) => removeImage(ctx, input)),
  restore: publisher
    .input(RestoreInput)
    .output(HomepageState)
    .mutation(({ ctx, input }) => restoreVersion(ctx, input)),
  versions: staff
    .input(Nothing)
    .output(HomepageVersions)
    .query(({ ctx }) => listVersions(ctx.database.db)),
})

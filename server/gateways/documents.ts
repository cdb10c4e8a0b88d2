import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileTypeOf } from '#contract/base/file-types.ts'
import { AppError } from '#server/kernel/errors.ts'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import { reencodeDocument } from './pictures.ts'

export type StoredDocument = {
  /** Name of the stored file. */
  file: string
  kind: 'pdf' | 'image'
  /** Size before encryption. */
  bytes: number
}

/** Providers' documents: encrypted files in a folder that is never served directly. */
export type DocumentGateway = {
  /**
   * Stores an uploaded document. An image is re-encoded, so no original bytes remain; a PDF is stored
   * unchanged. The type is detected from the first bytes: anything else throws `document_…` or `image_…`.
   */
  save(upload: Uint8Array): Promise<StoredDocument>
  /** The decrypted file: a PDF or a WebP. Only ever served as a sandboxed attachment. */
  read(file: string): Promise<Buffer>
  /** Removes a document; nothing happens when it is gone already. */
  remove(file: string): Promise<void>
}

const SEMAPHORE_SIZE = { running: 1, waiting: 4 }
const NAME = /^[0-9a-f-]{36}\.sealed$/

/** `%%EOF` must be within this many bytes of the end; some programs append data after it. */
const TAIL_BYTES = 2_048

/** Programs also fill files up to the size of a disk block, or more, with NUL or blanks; those don't count. */
function isCompletePdf(pdf: Buffer): boolean {
  let end = pdf.length
  while (end > 0 && (pdf[end - 1] ?? 0) <= 0x20) end -= 1
  return pdf.subarray(Math.max(0, end - TAIL_BYTES), end).includes('%%EOF')
}

/** Keeps documents in a folder, encrypted with the installation's key. */
export function makeDocuments(folder: string, secrets: Secrets): DocumentGateway {
  const semaphore = new Semaphore(SEMAPHORE_SIZE)

  async function store(bytes: Buffer): Promise<string> {
    const file = `${randomUUID()}.sealed`
    await makeFolder(folder, 0o700)
    const draft = join(folder, `.${file}`)
    try {
      await writeFile(draft, secrets.sealBytes('document', bytes), { mode: 0o600 })
      await rename(draft, join(folder, file))
    } finally {
      await rm(draft, { force: true })
    }
    return file
  }

  return {
    save: (upload) =>
      semaphore.pass(async () => {
        const bytes = Buffer.from(upload)
        const type = fileTypeOf(bytes)
        if (type === null) throw new AppError('document_type')
        if (type === 'application/pdf') {
          if (!isCompletePdf(bytes)) throw new AppError('document_damaged')
          return { file: await store(bytes), kind: 'pdf', bytes: bytes.length }
        }
        const encoded = await reencodeDocument(bytes)
        return { file: await store(encoded), kind: 'image', bytes: encoded.length }
      }),
    async read(file) {
      if (!NAME.test(file)) throw new Error('This is not the name of a document.')
      return secrets.openBytes('document', await readFile(join(folder, file)))
    },
    async remove(file) {
      if (NAME.test(file)) await rm(join(folder, file), { force: true })
    },
  }
}

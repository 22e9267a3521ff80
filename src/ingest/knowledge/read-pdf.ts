import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { z } from 'zod'

interface PdfText {
  readonly title: string | undefined
  /** Page by page. */
  readonly pages: readonly string[]
}

// The package's own type of an opened PDF leads to declarations it does not ship.
const open = getDocumentProxy as (bytes: Uint8Array, options: { readonly verbosity: number }) => Promise<unknown>
/** It warns on stdout, where a command's result goes. */
const QUIET = { verbosity: 0 }

const meta = z.object({ info: z.object({ Title: z.string().optional().catch(undefined) }) })

/** What a PDF says and the title it gives itself. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const pdf = (await open(bytes, QUIET)) as never
  const { info } = meta.parse(await getMeta(pdf))
  const { text } = await extractText(pdf, { mergePages: false })
  const title = info.Title?.trim()
  return { title: title === '' ? undefined : title, pages: text }
}

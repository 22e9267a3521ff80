import { z } from 'zod'
import { BucketFault } from './bucket-fault.js'

/** An object as it was listed. */
export interface BucketObject {
  /** Below the bucket's prefix. */
  readonly key: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly changedMs: number
  readonly etag: string
}

/** A page of a listing. Keys are below the bucket's prefix. */
export interface Listing {
  readonly objects: readonly BucketObject[]
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined
}

/** A list that has one element, or none, can't be told from a value, or nothing. */
const some = <T extends z.ZodType>(one: T) =>
  z.preprocess((given): unknown => (given === undefined ? [] : Array.isArray(given) ? given : [given]), z.array(one))

const answer = z.object({
  ListBucketResult: z.object({
    EncodingType: z.string().optional(),
    IsTruncated: z.enum(['true', 'false']),
    NextContinuationToken: z.string().min(1).optional(),
    Contents: some(
      z.object({
        Key: z.string().min(1),
        Size: z.coerce.number().int().min(0),
        LastModified: z.iso.datetime({ offset: true }),
        ETag: z.string().min(1),
      }),
    ),
  }),
})

const refusal = z.object({ Error: z.object({ Code: z.string().regex(/^\w{1,64}$/) }) })

/**
 * What a page of ListObjectsV2 says.
 * @param prefix what was asked for: nothing else may be in it
 * @param below characters of the bucket's own prefix, which are left out
 * @throws BucketFault for anything else
 */
export async function listingOf(
  text: string,
  { prefix, below }: { readonly prefix: string; readonly below: number },
): Promise<Listing> {
  const { data } = answer.safeParse(await parsedXml(text))
  // The parser takes what is cut off, too.
  if (data === undefined || !/<\/ListBucketResult>\s*$/.test(text)) {
    throw new BucketFault(
      'The bucket gave an answer that is no listing of S3: check EARSHOT_S3_URL and EARSHOT_S3_ADDRESSING',
    )
  }
  const { EncodingType, IsTruncated, NextContinuationToken, Contents } = data.ListBucketResult
  const keyOf = (written: string): string => {
    const key = EncodingType === 'url' ? decoded(written) : written
    if (!key.startsWith(prefix)) throw new BucketFault('The bucket lists objects that it was not asked for')
    return key.slice(below)
  }
  if (IsTruncated === 'true' && NextContinuationToken === undefined) {
    throw new BucketFault('The bucket gave a part of a listing and does not say where the next one begins')
  }
  return {
    objects: Contents.map(({ Key, Size, LastModified, ETag }) => ({
      key: keyOf(Key),
      bytes: Size,
      changedMs: Date.parse(LastModified),
      etag: ETag,
    })),
    next: IsTruncated === 'true' ? NextContinuationToken : undefined,
  }
}

/** The code of a refusal, such as NoSuchKey; undefined where a text is none. */
export async function errorIn(text: string): Promise<string | undefined> {
  return refusal.safeParse(await parsedXml(text)).data?.Error.Code
}

/** As AWS writes keys: like a form, in UTF-8. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    throw new BucketFault('The bucket lists a key that is not written as UTF-8')
  }
}

/** XML as objects, all values texts; undefined for what is none. */
async function parsedXml(text: string): Promise<unknown> {
  if (text === '') return undefined
  const { XMLParser } = await import('fast-xml-parser')
  const tagValueProcessor = (_: string, value: string) => unescaped(value)
  const parser = new XMLParser({ parseTagValue: false, trimValues: false, processEntities: false, tagValueProcessor })
  try {
    return parser.parse(text)
  } catch {
    return undefined
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The references that XML has itself; the parser knows none by number, and those that a document declares are not wanted. */
function unescaped(value: string): string {
  return value.replaceAll(/&(#\d{1,6}|#x[\da-f]{1,5}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? whole
    return String.fromCodePoint(Number(name.replace('#x', '0x').replace('#', '')))
  })
}

/** Why a bucket did not do what it was asked, in a sentence that holds no address, no key of an object and no credentials. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault'
  /** Whether trying again may help. */
  readonly again: boolean
  /** What it is about: the one object that was asked for, what the credentials may do, or all that is asked. */
  readonly about: 'object' | 'permission' | 'bucket'

  constructor(
    message: string,
    { again = false, about = 'bucket' }: { again?: boolean; about?: BucketFault['about'] } = {},
  ) {
    super(message)
    this.again = again
    this.about = about
  }
}

const CREDENTIALS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'InvalidSecurity',
])

/** What is meant by a status that is no success. @param code what the answer says itself, such as NoSuchKey */
export function faultOfAnswer(status: number, code: string | undefined): BucketFault {
  const said = code === undefined ? String(status) : `${status} ${code}`
  if (code !== undefined && CREDENTIALS.has(code)) {
    return new BucketFault(
      `The bucket refuses the credentials (${said}): check EARSHOT_S3_ACCESS_KEY_ID, EARSHOT_S3_SECRET_ACCESS_KEY and, where they are for a time, EARSHOT_S3_SESSION_TOKEN`,
    )
  }
  if (code === 'RequestTimeTooSkewed') {
    return new BucketFault(`The bucket refuses requests of this machine's time (${said}): set its clock`)
  }
  if (code === 'NoSuchBucket') {
    return new BucketFault(`There is no such bucket (${said}): check EARSHOT_S3_BUCKET and EARSHOT_S3_URL`)
  }
  if ((status >= 300 && status < 400) || code === 'AuthorizationHeaderMalformed') {
    return new BucketFault(
      `The bucket is to be asked elsewhere (${said}), which is not followed: check EARSHOT_S3_REGION, EARSHOT_S3_URL and EARSHOT_S3_ADDRESSING`,
    )
  }
  if (code === 'InvalidObjectState') {
    return new BucketFault(`is archived, and has to be restored first (${said})`, { about: 'object' })
  }
  if (status === 401 || status === 403) {
    return new BucketFault(
      `The bucket does not allow it (${said}): its credentials need s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject`,
      { about: 'permission' },
    )
  }
  if (status === 404 || status === 412) {
    return new BucketFault(`is not there any more, or was written anew (${said})`, { about: 'object' })
  }
  const again = status === 408 || status === 429 || status >= 500
  return new BucketFault(`The bucket ${again ? 'failed' : 'refuses the request'} (${said})`, { again })
}

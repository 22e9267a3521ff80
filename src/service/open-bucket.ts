import type { Config } from '../config.js'
import { Bucket } from '../ingest/bucket/bucket.js'

const FIRST_RETRY_MS = 1_000

/** The bucket that the operator has set, if any. */
export function openBucket(config: Config): Bucket | undefined {
  const {
    s3Bucket: bucket,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
    s3Url: url = `https://s3.${region}.amazonaws.com`,
  } = config
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return new Bucket({
    url,
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: config.s3SessionToken,
    addressing: config.s3Addressing,
    timeoutMs: config.s3Timeout,
    firstRetryMs: FIRST_RETRY_MS,
  })
}

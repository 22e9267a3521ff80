/** What most clouds answer on, and nothing outside of a machine of theirs. */
const USUAL = ['169.254.169.254']

/** Names that are a cloud's metadata service by its own documentation, wherever they resolve at all. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  // Google
  ['metadata.google.internal', USUAL],
  ['metadata.goog', USUAL],
  ['metadata', USUAL],
  // AWS
  ['instance-data.ec2.internal', USUAL],
  ['instance-data', USUAL],
  // Azure
  ['metadata.azure.internal', USUAL],
  // IBM
  ['api.metadata.cloud.ibm.com', USUAL],
  // Tencent
  ['metadata.tencentyun.com', ['169.254.0.23']],
])

/** The same of AWS in each region. */
const REGIONAL = /^instance-data\.[a-z0-9-]+\.compute\.internal$/

/**
 * The addresses of a metadata service by its name; undefined for any other name.
 * @param hostname as a URL has it: in lower case, perhaps with the dot of the root at its end
 */
export function metadataAddresses(hostname: string): readonly string[] | undefined {
  const name = hostname.replace(/\.$/, '')
  return REGIONAL.test(name) ? USUAL : NAMES.get(name)
}

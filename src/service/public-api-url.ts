import type { Config } from '../config.js'

/** Where the API and the console are reached from elsewhere: at an address of their own, or at the tool server's. */
export function publicApiUrl({
  publicApiUrl: own,
  publicUrl,
}: Pick<Config, 'publicApiUrl' | 'publicUrl'>): string | undefined {
  return own ?? publicUrl
}

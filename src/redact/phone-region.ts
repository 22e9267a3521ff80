import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max'

const TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i

/** The country whose telephone numbers a call in that language is taken to hold; the United States when it is unknown. */
export function phoneRegionOf(language: unknown): CountryCode {
  if (typeof language !== 'string' || !TAG.test(language)) return 'US'
  try {
    const { region } = new Intl.Locale(language.replaceAll('_', '-')).maximize()
    return region !== undefined && isSupportedCountry(region) ? region : 'US'
  } catch {
    return 'US'
  }
}

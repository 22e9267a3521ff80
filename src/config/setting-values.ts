import type { z } from 'zod'
import type { settings } from './settings.js'

type Settings = typeof settings
type ValueOf<S> = S extends { readonly read: z.ZodType<infer T, string> } ? T : never

/** What each setting holds; one without a default may be absent. */
export type SettingValues = {
  readonly [K in keyof Settings]: Settings[K]['default'] extends string
    ? ValueOf<Settings[K]>
    : ValueOf<Settings[K]> | undefined
}

import { migrations } from './migrations.js'

/** The newest version of a store that this program knows. */
export const newestVersion = migrations.at(-1)?.version ?? 0

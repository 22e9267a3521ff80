/** Where the secret is that erased ids are hashed with: the first document of a store. */
export const ERASED_IDS = { _id: 'erased-ids' } as const

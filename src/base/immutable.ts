/** A value as it is handed around: nobody changes what somebody else holds. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T

/**
 * What is kept of a value while it is scanned: of an object the fields named, of a list the same of each entry, `true` for the whole of
 * anything else. `{}` keeps that there is one.
 */
export type Keep<T> = T extends readonly (infer E)[]
  ? Keep<E>
  : T extends object
    ? { readonly [Name in keyof T]?: Keep<Exclude<T[Name], undefined>> }
    : true

/** A value of which so much was kept. */
export type Kept<T, K> = T extends readonly (infer E)[]
  ? readonly Kept<E, K>[]
  : T extends object
    ? { [Name in keyof T as Name extends keyof K ? Name : never]: Kept<T[Name], K[Name & keyof K]> }
    : T

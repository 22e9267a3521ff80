import { type Fragment, isReference, local, sql } from './sql.js'

/** A name for the parameter of a lambda that no other lambda of a statement has. */
export function lambdaName(): Fragment {
  return local('x')
}

/** Values by names of their own, and what puts them around SQL that reads them by these names. */
interface Bound {
  readonly names: readonly Fragment[]
  readonly around: (body: Fragment) => Fragment
}

/**
 * Binds values, so that each is computed once however often SQL names it: what stands inside a lambda the engine computes
 * again for each element, unless a lambda around it binds it. Columns and constants stay as they are.
 */
export function bound(values: readonly Fragment[]): Bound {
  const names = values.map(value => (isReference(value) || value.values.length === 0 ? value : lambdaName()))
  const around = (body: Fragment) =>
    values.reduceRight((inner, value, i) => {
      const name = names[i]!
      return name === value ? inner : sql`list_extract(list_transform([${value}], lambda ${name}: ${inner}), 1)`
    }, body)
  return { names, around }
}

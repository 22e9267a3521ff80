import { type Fragment, local } from './sql.js'

/** A name for the parameter of a lambda that no other lambda of a statement has. */
export function lambdaName(): Fragment {
  return local('x')
}

import { type Fragment, identifier } from './sql.js'

let lambdas = 0

/** A name for the parameter of a lambda that no other lambda of a statement has. */
export function lambdaName(): Fragment {
  lambdas = (lambdas + 1) % 1_000_000_000
  return identifier(`x${lambdas}`)
}

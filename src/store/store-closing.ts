import { Problem } from '../base/problem.js'

/** What is still asked of a store that is being closed. */
export function storeClosing(): Problem {
  return new Problem('store_unavailable', 'The store is closing')
}

import type { Access } from './route.js'

/** Whether requests of this kind are about the calls of one project, which X-Project-Id may name. */
export function namesProject(access: Access): access is 'caller' | 'overseer' | 'administrator' {
  return access === 'caller' || access === 'overseer' || access === 'administrator'
}
